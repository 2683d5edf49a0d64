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
 * Ways in which the usual tools write a text, each with its variants: see `ENCODERS`. What they
 * leave as it is comes out as it is. Quotation marks around the text are not part of it.
 */
export type Encoder = (text: string) => string[];

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
