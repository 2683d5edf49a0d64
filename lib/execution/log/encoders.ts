import { base32 as rfc4648Base32 } from "@scure/base";
import {
  ascii,
  BEYOND_PRINTABLE,
  byteEscape,
  bytewise,
  CONTROLS,
  encode,
  inJson,
  lower,
  percent,
  PERCENT_ESCAPE,
  pieces,
  PLAIN,
  pointEscape,
  UNICODE_ESCAPE,
  unicodeEscape,
  upper,
} from "./escapes.ts";

/**
 * Returns the forms in which a common kind of tool writes a text: see `ENCODERS`. Characters that
 * need no escape stay as they are. Quotation marks around the text are not included.
 */
export type Encoder = (text: string) => string[];

/** How libraries write a quotation mark and an apostrophe in HTML and XML. */
const HTML_QUOTES = [
  ['"', "'"],
  ["&quot;", "'"],
  ["&quot;", "&#39;"],
  ["&quot;", "&#039;"],
  ["&quot;", "&#x27;"],
  ["&quot;", "&apos;"],
  ["&#34;", "&#39;"],
];
/** Texts before and after the two digits of a byte. The one after the last byte may be missing. */
const HEX_BYTES = [["", ""], ["\\x", ""], ["", ":"], ["", " "]];

/** JSON, which many modules return, with the additional escapes of various libraries. */
const json: Encoder = (text) => {
  const plain = inJson(text);
  const forHtml = plain.replace(/[<>&]/g, unicodeEscape);
  return [plain, plain.replaceAll("/", "\\/"), forHtml, forHtml.replaceAll("'", "\\u0027")]
    .flatMap((form) => [form, ascii(form), ascii(form).replace(UNICODE_ESCAPE, upper)]);
};

/** The whole text, then for each offset the part that does not depend on the text around it. */
const base64: Encoder = (text) =>
  pieces(text, 6, 3, (bytes) => bytes.toBase64()).flatMap((form) => [
    form,
    form.replaceAll("+", "-").replaceAll("/", "_"),
  ]);

const base32: Encoder = (text) => pieces(text, 5, 5, rfc4648Base32.encode);

/**
 * URL encodings of the usual libraries, which differ in the characters that they leave as they are.
 */
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

/** Single quotes, double quotes, no quotes, and `$'...'`. */
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

/** Texts and bytes as Python writes them, and YAML's texts in double quotation marks. */
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

/** Encodes every character, even those that need no escape. */
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

const unlessPlain = (encode: Encoder): Encoder => (text) => PLAIN.test(text) ? [] : encode(text);

/** Likelier and shorter forms come first, because the last ones are dropped if there is no room. */
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
