/**
 * Invisible characters that change how other text looks, or where it stands: control characters
 * except tab and line feed, marks that change the writing direction, and zero-width characters.
 * Joiners belong to emoji and many scripts, so they count only after Latin and ASCII letters.
 */
const UNSEEN =
  /(?![\t\n\u200c\u200d\ufe00-\ufe0f])[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]|(?<=[\p{ASCII}\p{Script=Latin}])[\u200c\u200d]/u;
const EACH_UNSEEN = new RegExp(`(${UNSEEN.source})`, "gu");

/** Returns the text with escapes, such as `\u202e`, in place of invisible characters. */
export const visible = (text: string): string =>
  UNSEEN.test(text) ? text.replace(EACH_UNSEEN, escapeOf) : text;

/** Splits the text into parts: visible text, alternating with escapes of invisible characters. */
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
