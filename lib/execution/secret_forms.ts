/** A secret shorter than this is not masked: it would make holes all over the output. */
export const SECRET_LENGTH_MIN = 4;
/** Every output is full of these: masking them tells where a secret stands, and hides nothing. */
const NO_SECRETS = /^(true|false|null|none)$/i;
/** Shortest line of a secret with many lines that is masked on its own. */
const LINE_LENGTH_MIN = 8;
/** Shortest piece of a base64 text that is taken for a secret's. */
const BASE64_LENGTH_MIN = 6;
/** Where the usual tools break lines of base64. */
const BASE64_WIDTHS = [64, 76];

/**
 * Every form in which a secret is looked for: as it is, line by line, and as JSON, shells, URLs and
 * base64 write it.
 */
export function secretForms(secret: string): string[] {
  // Space around it tells nothing, and masking its line end would glue two lines together.
  const text = secret.trim();
  if (text.length < SECRET_LENGTH_MIN || NO_SECRETS.test(text)) return [];
  const forms = new Set([text, ...escaped(text), ...base64Forms(text)]);
  for (const line of linesOf(text)) {
    for (const form of [line, ...escaped(line)]) forms.add(form);
  }
  return [...forms];
}

function linesOf(secret: string): string[] {
  if (!secret.includes("\n")) return [];
  return secret.split("\n").map((line) => line.trim()).filter((line) =>
    line.length >= LINE_LENGTH_MIN
  );
}

function escaped(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const asciiJson = json.replace(/[\u0080-\uffff]/g, unicodeEscape);
  const url = encodeURIComponent(text.toWellFormed());
  const strictUrl = url.replace(/[!'()*]/g, (sign) => `%${hex(sign.charCodeAt(0), 2)}`);
  const urls = [url, strictUrl].flatMap((form) => [form, form.replaceAll("%20", "+")]);
  return [
    json,
    asciiJson,
    // JSON inside of JSON, as modules often return it.
    JSON.stringify(json).slice(1, -1),
    json.replaceAll("/", "\\/"),
    json.replaceAll('\\"', '"').replaceAll("'", "\\'"),
    text.replaceAll("'", `'"'"'`),
    text.replaceAll("'", "'\\''"),
    ...urls,
    ...urls.map((form) => form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
  ];
}

const hex = (code: number, digits: number) => code.toString(16).toUpperCase().padStart(digits, "0");
const unicodeEscape = (unit: string) => `\\u${hex(unit.charCodeAt(0), 4).toLowerCase()}`;

/** The secret's base64 wherever it begins in the encoded text, without what its neighbours decide. */
function base64Forms(text: string): string[] {
  const bytes = new TextEncoder().encode(text);
  const forms = [0, 1, 2].map((offset) => base64At(bytes, offset));
  const wrapped = BASE64_WIDTHS.flatMap((width) =>
    forms[0]!.length > width ? forms[0]!.match(new RegExp(`.{1,${width}}`, "g")) ?? [] : []
  );
  return [...forms, ...wrapped]
    .filter((form) => form.length >= BASE64_LENGTH_MIN)
    .flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]);
}

function base64At(bytes: Uint8Array, offset: number): string {
  const padded = new Uint8Array(offset + bytes.length);
  padded.set(bytes, offset);
  const firstOwn = Math.ceil(offset * 8 / 6);
  const afterOwn = Math.floor(padded.length * 8 / 6);
  return padded.toBase64().slice(firstOwn, afterOwn);
}
