/** An English sentence that may contain `code`. */
export const Prose = ({ text }: { text: string }) => (
  <>
    {text.split("`").map((part, index) =>
      index % 2 === 1 ? <code key={index}>{part}</code> : <span key={index} lang="en">{part}</span>
    )}
  </>
);
