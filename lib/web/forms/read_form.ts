import { Buffer } from "node:buffer";
import { AppError } from "../../base/errors.ts";
import { readBytes } from "../../http/body.ts";

/** Typed texts by the fields' dotted names: `ssh.login`, `survey_vars.0.name`. */
export type FormValues = Record<string, string>;

const URL_ENCODED = "application/x-www-form-urlencoded";
/** Maximum size in bytes of a form without long texts. */
const FORM_BYTES_MAX = 64 * 1024;
/** Maximum size in bytes of a form with an inventory, variables, a key or a survey. */
export const LONG_FORM_BYTES_MAX = 4 * 1024 * 1024;
/** Maximum number of fields of a form. The largest form, a template's, has about 1,600. */
export const FIELDS_MAX = 2000;

/**
 * Reads the texts of a posted form by name. A name that is sent several times gets a number for
 * each text. Throws 413 if the form has more than `bytesMax` bytes or `FIELDS_MAX` fields, and 400
 * if the body is not a form.
 */
export async function readForm(req: Request, bytesMax = FORM_BYTES_MAX): Promise<FormValues> {
  return await valuesOf(await readFields(req, bytesMax));
}

/** Same as `readForm`, but without the files. Only reports whether there is one. */
export async function readTyped(
  req: Request,
  bytesMax: number,
): Promise<{ values: FormValues; hadFile: boolean }> {
  const fields = [...await readFields(req, bytesMax)];
  const typed = fields.filter(([, value]) => typeof value === "string");
  return { values: await valuesOf(typed), hadFile: typed.length < fields.length };
}

async function valuesOf(fields: Iterable<[string, FormDataEntryValue]>): Promise<FormValues> {
  const sent = new Map<string, string[]>();
  for (const [name, value] of fields) {
    // Browsers end each line of a text area with an extra carriage return.
    const text = (typeof value === "string" ? value : await value.text()).replaceAll("\r\n", "\n");
    const texts = sent.get(name);
    if (texts) texts.push(text);
    else sent.set(name, [text]);
  }
  const values: FormValues = {};
  for (const [name, texts] of sent) {
    if (texts.length === 1) values[name] = texts[0];
    else texts.forEach((text, index) => values[`${name}.${index}`] = text);
  }
  for (const mark of sent.get("secret_field") ?? []) trimLine(values, mark.split(":", 1)[0]);
  return values;
}

/**
 * Removes the line end of a secret with a single line, such as a copied password. No one can see it
 * in a field of several lines. Private keys need theirs.
 */
function trimLine(values: FormValues, name: string) {
  if (!Object.hasOwn(values, name)) return;
  values[name] = values[name].replace(/^([^\n]*)\n+$/, "$1");
}

async function readFields(req: Request, bytesMax: number): Promise<FormData> {
  const { type, separator } = formatOf(req.headers.get("content-type") ?? URL_ENCODED);
  const bytes = await readBytes(req, bytesMax);
  limitFields(Buffer.from(bytes.buffer), separator);
  try {
    return await new Response(bytes, { headers: { "Content-Type": type } }).formData();
  } catch {
    throw new AppError(400, "errors.invalid_form");
  }
}

/**
 * Returns the separator of a form's fields and a media type that allows no other. If the sent type
 * named several boundaries, or one for a form that has none, the counted fields could differ from
 * the parsed ones.
 */
function formatOf(sentType: string): { type: string; separator: string } {
  const [mediaType] = sentType.split(";", 1);
  const boundary = /^multipart\//i.test(mediaType) &&
    /;\s*boundary="?([^";]+)/i.exec(sentType)?.[1];
  if (!boundary) return { type: mediaType, separator: "&" };
  return { type: `${mediaType}; boundary="${boundary}"`, separator: `--${boundary}` };
}

/** Counts the separators, so that a body with too many fields is refused without parsing it. */
function limitFields(body: Buffer, separator: string) {
  let count = 0;
  for (let at = body.indexOf(separator); at >= 0; at = body.indexOf(separator, at + 1)) {
    if (++count > FIELDS_MAX) {
      throw new AppError(413, "errors.too_many_fields", { max: FIELDS_MAX });
    }
  }
}
