/** Shortest piece of a base64 or base32 text that is taken for a secret's. */
const PIECE_LENGTH_MIN = 6;
/** Widths at which the usual tools break lines of base64. */
const LINE_WIDTHS = [64, 76];

/** No format escapes anything in such a text. Most passwords and all their encodings match. */
export const PLAIN = /^[\w.-]*$/;

// deno-lint-ignore no-control-regex -- what has no sign of its own is escaped
export const CONTROLS = /[\x00-\x1f\x7f]/g;
// deno-lint-ignore no-control-regex -- as above
export const BEYOND_PRINTABLE = /[\x00-\x1f\x7f]|[\ud800-\udbff][\udc00-\udfff]|[\u0080-\uffff]/g;
const BEYOND_ASCII = /[\u0080-\uffff]/g;
export const PERCENT_ESCAPE = /%[0-9A-F]{2}/g;
export const UNICODE_ESCAPE = /\\u[0-9a-f]{4}/g;
const NAMED: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

const encoder = new TextEncoder();
export const encode = (text: string) => encoder.encode(text);

const hexOf = (byte: number) => byte.toString(16).padStart(2, "0");
export const lower = (escape: string) => escape.toLowerCase();
/** Turns the digits of an escape such as `\u00e4` to upper case, but not the letter before them. */
export const upper = (escape: string) => escape.slice(0, 2) + escape.slice(2).toUpperCase();
export const percent = (sign: string) => `%${hexOf(sign.charCodeAt(0)).toUpperCase()}`;
export const unicodeEscape = (unit: string) =>
  `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
export const byteEscape = (byte: number) => `\\x${hexOf(byte)}`;
export const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
export const ascii = (text: string) => text.replace(BEYOND_ASCII, unicodeEscape);

export function pointEscape(character: string): string {
  const point = character.codePointAt(0)!;
  if (point <= 0xff) return NAMED[character] ?? byteEscape(point);
  return point <= 0xffff ? unicodeEscape(character) : `\\U${point.toString(16).padStart(8, "0")}`;
}

/** Escapes everything that `special` finds byte by byte, except named line ends and tabs. */
export const bytewise = (text: string, special: RegExp, escape: (byte: number) => string) =>
  text.replace(special, (found) => NAMED[found] ?? Array.from(encode(found), escape).join(""));

/**
 * Returns the forms of a text in an encoding with `bits` per character: as a whole, as lines, and
 * for each of the `offsets` at which it may begin in a group of bytes, the characters that depend
 * on nothing else.
 */
export function pieces(
  text: string,
  bits: number,
  offsets: number,
  encoded: (bytes: Uint8Array) => string,
): string[] {
  const bytes = encode(text);
  const whole = encoded(bytes);
  const inside = Array.from({ length: offsets }, (_, offset) => {
    const moved = new Uint8Array(offset + bytes.length);
    moved.set(bytes, offset);
    const [from, to] = [Math.ceil(offset * 8 / bits), Math.floor(moved.length * 8 / bits)];
    return encoded(moved).slice(from, to);
  });
  const lines = LINE_WIDTHS.flatMap((width) => whole.length > width ? cut(inside[0], width) : []);
  return [whole, ...inside, ...lines].filter((form) => form.length >= PIECE_LENGTH_MIN);
}

const cut = (text: string, width: number) =>
  Array.from(
    { length: Math.ceil(text.length / width) },
    (_, n) => text.slice(n * width, (n + 1) * width),
  );
