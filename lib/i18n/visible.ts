/**
 * What has no look of its own and changes how other text looks, or where it stands: control
 * characters but tab and line end, marks that turn the direction of writing, what has no width.
 * Joiners belong to emoji and many scripts: only between other letters do they hide something.
 */
const UNSEEN =
  /(?![\t\n\u200c\u200d\ufe00-\ufe0f])[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]|(?<=[\p{ASCII}\p{Script=Latin}])[\u200c\u200d]/u;
const EACH_UNSEEN = new RegExp(`(${UNSEEN.source})`, "gu");

/** The text with escapes, such as `\u202e`, in place of what cannot be seen. */
export const visible = (text: string): string =>
  UNSEEN.test(text) ? text.replace(EACH_UNSEEN, escapeOf) : text;

/** The text in parts: what can be seen, and by turns an escape of what cannot. */
export const visibleParts = (text: string): string[] =>
  UNSEEN.test(text)
    ? text.split(EACH_UNSEEN).map((part, n) => n % 2 === 1 ? escapeOf(part) : part)
    : [text];

const NAMED: Record<string, string> = { "\r": "\\r", "\b": "\\b" };

function escapeOf(character: string): string {
  const code = character.codePointAt(0)!;
  const hex = code.toString(16);
  if (code <= 0xff) return NAMED[character] ?? `\\x${hex.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\u{${hex}}`;
}
