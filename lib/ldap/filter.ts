/**
 * A filter with `text` for each `%s`. All but letters and digits is escaped byte by byte (RFC 4515),
 * so that whatever is typed is a value, and never a part of the filter.
 */
export const fillFilter = (template: string, text: string): string =>
  template.split("%s").join(escapeValue(text));

const escapeValue = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => {
    const letter = String.fromCharCode(byte);
    return /[A-Za-z0-9]/.test(letter) ? letter : `\\${byte.toString(16).padStart(2, "0")}`;
  }).join("");
