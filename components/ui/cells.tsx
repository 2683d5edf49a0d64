/** Stands where a value is missing; cards leave such cells out. */
export const Dash = () => <span class="dash text-muted">—</span>;

/** A text of any length: one line of it, and all of it when it is pointed at. */
export const Name = ({ text }: { text: string | null | undefined }) =>
  text ? <span class="clamp" title={text}>{text}</span> : <Dash />;
