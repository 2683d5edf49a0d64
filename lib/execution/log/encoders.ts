import { base32 as rfc4648Base32 } from "@scure/base";

/**
 * Ways in which the usual tools write a text, each with its variants: see `ENCODERS`. What they
 * leave as it is comes out as it is. Quotation marks around the text are not part of it.
 */
export type Encoder = (text: string) => string[];

/** Shortest piece of a base64 or base32 text that is taken for a secret's. */
const PIECE_LENGTH_MIN = 6;
/** Where the usual tools break lines of base64. */
const LINE_WIDTHS = [64, 76];
/** What stands for a quotation mark and an apostrophe in HTML and XML, by library. */
const HTML_QUOTES = [
  ['"', "'"],
  ["&quot;", "'"],
  ["&quot;", "&#39;"],
  ["&quot;", "&#039;"],
  ["&quot;", "&#x27;"],
  ["&quot;", "&apos;"],
  ["&#34;", "&#39;"],
];
/** What stands before and after the two digits of a byte; what ends the last one may be missing. */
const HEX_BYTES = [["", ""], ["\\x", ""], ["", ":"], ["", " "]];

/** As JSON, with what various libraries escape besides; the answers of many modules are that. */
const json: Encoder = (text) => {
  const plain = inJson(text);
  const forHtml = plain.replace(/[<>&]/g, unicodeEscape);
  return [plain, plain.replaceAll("/", "\\/"), forHtml, forHtml.replaceAll("'", "\\u0027")]
    .flatMap((form) => [form, ascii(form), ascii(form).replace(UNICODE_ESCAPE, upper)]);
};

/** All of it, then what its neighbours do not decide wherever it begins in what is encoded. */
const base64: Encoder = (text) =>
  pieces(text, 6, 3, (bytes) => bytes.toBase64()).flatMap((form) => [
    form,
    form.replaceAll("+", "-").replaceAll("/", "_"),
  ]);

const base32: Encoder = (text) => pieces(text, 5, 5, rfc4648Base32.encode);

/** As the usual libraries do it, which differ in what they leave as it is. */
const url: Encoder = (text) => {
  const wellFormed = text.toWellFormed();
  const inScripts = encodeURIComponent(wellFormed);
  const strict = inScripts.replace(/[!'()*]/g, percent);
  return [
    inScripts,
    strict,
    strict.replaceAll("%2F", "/"),
    inScripts.replace(/[!'()~]/g, percent),
    strict.replaceAll("~", "%7E"),
    encodeURI(wellFormed),
  ].flatMap((form) => [form, form.replaceAll("%20", "+")])
    .flatMap((form) => [form, form.replace(PERCENT_ESCAPE, lower)]);
};

/** In single and double quotes, without any, and as `$'...'`. */
const shell: Encoder = (text) => [
  text.replaceAll("'", `'"'"'`),
  text.replaceAll("'", "'\\''"),
  text.replace(/[\\"$`]/g, "\\$&"),
  text.replace(/[^\w\s@%+=:,./-]/g, "\\$&"),
  bytewise(
    text.replace(/[\\']/g, "\\$&"),
    CONTROLS,
    (byte) => `\\${byte.toString(8).padStart(3, "0")}`,
  ),
];

/** As Python writes texts and bytes, and YAML what stands in double quotation marks. */
const python: Encoder = (text) =>
  [/[\\']/g, /[\\"]/g, /\\/g].map((quotes) => text.replace(quotes, "\\$&")).flatMap((form) => [
    bytewise(form, CONTROLS, byteEscape),
    bytewise(form, BEYOND_PRINTABLE, byteEscape),
    form.replace(BEYOND_PRINTABLE, pointEscape),
    form.replace(BEYOND_PRINTABLE, (found) => upper(pointEscape(found))),
  ]);

const yaml: Encoder = (text) => [text.replaceAll("'", "''")];

const html: Encoder = (text) => {
  const plain = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return HTML_QUOTES.map(([double, single]) =>
    plain.replaceAll('"', double).replaceAll("'", single)
  );
};

const hex: Encoder = (text) => {
  const digits = encode(text).toHex();
  return [digits, digits.toUpperCase()].flatMap((digits) =>
    HEX_BYTES.map(([before, after]) =>
      digits.replace(/../g, `${before}$&${after}`).slice(0, after ? -1 : undefined)
    )
  );
};

/** Each character, also those that need no escape. */
const wholeUrl: Encoder = (text) => {
  const form = encode(text).toHex().replace(/../g, "%$&");
  return [form, form.toUpperCase()];
};

const wholeHtml: Encoder = (text) => {
  const points = Array.from(text, (character) => character.codePointAt(0)!);
  const inHex = points.map((point) => `&#x${point.toString(16)};`).join("");
  return [
    points.map((point) => `&#${point};`).join(""),
    inHex,
    inHex.toUpperCase().replaceAll("&#X", "&#x"),
  ];
};

/** Nothing of such a text is escaped anywhere; most passwords and all of their encodings are such. */
const PLAIN = /^[\w.-]*$/;
const unlessPlain = (encode: Encoder): Encoder => (text) => PLAIN.test(text) ? [] : encode(text);

/** What is likelier, or shorter, comes first: it stays where there is no room for all. */
export const ENCODERS: Record<string, Encoder> = {
  json: unlessPlain(json),
  base64,
  url: unlessPlain(url),
  shell: unlessPlain(shell),
  python: unlessPlain(python),
  yaml: unlessPlain(yaml),
  html: unlessPlain(html),
  hex,
  base32,
  wholeUrl,
  wholeHtml,
};

/**
 * In texts of JSON in texts of JSON, and so on: modules answer JSON that tools gave them, and Ansible
 * shows their answers as JSON again.
 */
export const inNestedJson: Encoder = (text) =>
  PLAIN.test(text)
    ? []
    : NESTED_JSON.reduce((forms) => [...forms, inJson(forms.at(-1) ?? text)], [] as string[]);
const NESTED_JSON = [1, 2, 3, 4];

// deno-lint-ignore no-control-regex -- what has no sign of its own is escaped
const CONTROLS = /[\x00-\x1f\x7f]/g;
// deno-lint-ignore no-control-regex -- as above
const BEYOND_PRINTABLE = /[\x00-\x1f\x7f]|[\ud800-\udbff][\udc00-\udfff]|[\u0080-\uffff]/g;
const BEYOND_ASCII = /[\u0080-\uffff]/g;
const PERCENT_ESCAPE = /%[0-9A-F]{2}/g;
const UNICODE_ESCAPE = /\\u[0-9a-f]{4}/g;
const NAMED: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

const encoder = new TextEncoder();
const encode = (text: string) => encoder.encode(text);

const hexOf = (byte: number) => byte.toString(16).padStart(2, "0");
const lower = (escape: string) => escape.toLowerCase();
/** The digits of an escape such as `\u00e4`, not the letter that says what it is. */
const upper = (escape: string) => escape.slice(0, 2) + escape.slice(2).toUpperCase();
const percent = (sign: string) => `%${hexOf(sign.charCodeAt(0)).toUpperCase()}`;
const unicodeEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
const byteEscape = (byte: number) => `\\x${hexOf(byte)}`;
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const ascii = (text: string) => text.replace(BEYOND_ASCII, unicodeEscape);

function pointEscape(character: string): string {
  const point = character.codePointAt(0)!;
  if (point <= 0xff) return NAMED[character] ?? byteEscape(point);
  return point <= 0xffff ? unicodeEscape(character) : `\\U${point.toString(16).padStart(8, "0")}`;
}

/** What `special` finds, byte by byte but for the line ends and tabs that have names. */
const bytewise = (text: string, special: RegExp, escape: (byte: number) => string) =>
  text.replace(special, (found) => NAMED[found] ?? Array.from(encode(found), escape).join(""));

/**
 * What an encoding of `bits` a sign makes of a text: whole, as lines, and, for each of the `offsets`
 * at which it may begin in a group of bytes, the signs that it decides alone.
 */
function pieces(
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
