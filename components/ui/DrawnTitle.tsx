const id = "drawn";

/** Title of an element in a drawing. Its key keeps Fresh from using it as the page's title. */
export const DrawnTitle = ({ text }: { text: string }) => <title key={id}>{text}</title>;
