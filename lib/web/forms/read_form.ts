import { Buffer } from "node:buffer";
import { AppError } from "../../base/errors.ts";
import { readBytes } from "../../base/body.ts";

/** What was typed, by the fields' dotted names: `ssh.login`, `survey_vars.0.name`. */
export type FormValues = Record<string, string>;

const URL_ENCODED = "application/x-www-form-urlencoded";
/** Bytes of a form that are read, where it has no long text. */
const FORM_BYTES_MAX = 64 * 1024;
/** Bytes of a form with an inventory, variables, a key or a survey in it. */
export const LONG_FORM_BYTES_MAX = 4 * 1024 * 1024;
/** Fields of one form; the longest one, a template's, has some 800. */
export const FIELDS_MAX = 2000;

/**
 * The texts of a posted form by name; a name sent several times gets a number for each. Throws 413
 * where the form has more than `bytesMax` bytes or `FIELDS_MAX` fields, and 400 where it is none.
 */
export async function readForm(req: Request, bytesMax = FORM_BYTES_MAX): Promise<FormValues> {
  return await valuesOf(await readFields(req, bytesMax));
}

/** As `readForm`, but without the files: only whether there is any. */
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
    // Browsers send each line of a text area with a carriage return that nobody typed.
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
  return values;
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
 * What stands between a form's fields, and a type that says this alone: where the sent one names
 * several boundaries, or one for a form without, what is counted would not be what is taken apart.
 */
function formatOf(sentType: string): { type: string; separator: string } {
  const [mediaType] = sentType.split(";", 1);
  const boundary = /^multipart\//i.test(mediaType) &&
    /;\s*boundary="?([^";]+)/i.exec(sentType)?.[1];
  if (!boundary) return { type: mediaType, separator: "&" };
  return { type: `${mediaType}; boundary="${boundary}"`, separator: `--${boundary}` };
}

/** Counts what stands between fields, so that a body of too many is refused and not taken apart. */
function limitFields(body: Buffer, separator: string) {
  let count = 0;
  for (let at = body.indexOf(separator); at >= 0; at = body.indexOf(separator, at + 1)) {
    if (++count > FIELDS_MAX) {
      throw new AppError(413, "errors.too_many_fields", { max: FIELDS_MAX });
    }
  }
}
