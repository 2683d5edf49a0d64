const id = "drawn";

/** What is told of a part of a drawing. Its key keeps Fresh from taking it for the page's title. */
export const DrawnTitle = ({ text }: { text: string }) => <title key={id}>{text}</title>;
