import type { Ui } from "../../lib/i18n/ui.ts";

/** Shown if a value is missing. Cards omit such cells. */
export const Dash = () => <span class="dash text-muted">—</span>;

/** A text of any length: cut to one line, and shown in full on hover. */
export const Name = ({ text }: { text: string | null | undefined }) =>
  text ? <span class="clamp" title={text}>{text}</span> : <Dash />;

/** A number, or a dash for none. */
export const Count = ({ ui, count }: { ui: Ui; count: number }) =>
  count === 0 ? <Dash /> : <span>{ui.number(count)}</span>;
