/** Shown if a value is missing. Cards omit such cells. */
export const Dash = () => <span class="dash text-muted">—</span>;

/** A text of any length: cut to one line, and shown in full on hover. */
export const Name = ({ text }: { text: string | null | undefined }) =>
  text ? <span class="clamp" title={text}>{text}</span> : <Dash />;
