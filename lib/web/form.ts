import { Buffer } from "node:buffer";
import type { z } from "zod";
import { AppError, type Message } from "../base/errors.ts";
import { readBytes } from "../base/body.ts";
import { fieldMessages } from "../base/parse.ts";
import { asSchemaWants, type FormTree } from "./form_tree.ts";

/** What was typed, by the fields' dotted names: `ssh.login`, `survey_vars.0.name`. */
export type FormValues = Record<string, string>;
/** What is wrong with which field; "" is the form as a whole. */
export type FormErrors = Record<string, Message>;

/** What a form shows: handed from the handler to the page, and on to each field. */
export interface FormState {
  values: FormValues;
  errors: FormErrors;
}

type ParsedForm<T> =
  | { ok: true; value: T; values: FormValues; errors: FormErrors }
  | { ok: false; values: FormValues; errors: FormErrors };

export type SubmittedForm<T> =
  | { ok: true; result: T }
  | { ok: false; values: FormValues; errors: FormErrors };

const URL_ENCODED = "application/x-www-form-urlencoded";
/** Bytes of a form that are read, where it has no long text. */
const FORM_BYTES_MAX = 64 * 1024;
/** Bytes of a form with an inventory, variables, a key or a survey in it. */
export const LONG_FORM_BYTES_MAX = 4 * 1024 * 1024;
/** Fields of one form; the longest one, a template's, has some 800. */
export const FIELDS_MAX = 2000;
/** Parts of a dotted name; no schema is deeper. What is sent further down is for no field. */
const NAME_PARTS_MAX = 8;
/** Failures that are about what was typed: shown in the form. Others go on to the error page. */
const SHOWN_STATUSES = [400, 409, 413, 422, 429];

/** A form before anything was sent: blank, or filled in with what is stored. */
export const newForm = (stored: object = {}): FormState => ({
  values: formValues(stored),
  errors: {},
});

/** Flattens an object to the fields' dotted names, as texts. Blank and false fields are left out. */
export function formValues(stored: object): FormValues {
  return flatten(stored, "", {});
}

function flatten(stored: object, prefix: string, values: FormValues): FormValues {
  for (const [name, value] of Object.entries(stored)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "object") flatten(value, `${prefix}${name}.`, values);
    else values[prefix + name] = String(value);
  }
  return values;
}

/** Reads a posted form and checks it with a schema of the API. An invalid form is a result. */
export async function parseForm<T extends z.ZodType>(
  req: Request,
  schema: T,
  bytesMax?: number,
): Promise<ParsedForm<z.output<T>>> {
  return parseValues(await readForm(req, bytesMax), schema);
}

/** Checks what `readForm` gave, for pages whose fields differ a little from the schema's. */
export function parseValues<T extends z.ZodType>(
  values: FormValues,
  schema: T,
): ParsedForm<z.output<T>> {
  const parsed = schema.safeParse(asSchemaWants(schema, treeOf(values)));
  if (parsed.success) return { ok: true, value: parsed.data, values, errors: {} };
  return { ok: false, values, errors: fieldMessages(parsed.error) };
}

/**
 * Reads a posted form and hands it to `save`. What `save` finds wrong with the form is a result
 * too; other failures, such as a missing right, are thrown on.
 */
export async function submitForm<T extends z.ZodType, Result>(
  req: Request,
  schema: T,
  save: (value: z.output<T>) => Promise<Result>,
  { shownStatuses, bytesMax }: { shownStatuses?: readonly number[]; bytesMax?: number } = {},
): Promise<SubmittedForm<Result>> {
  return await saveForm(await parseForm(req, schema, bytesMax), save, shownStatuses);
}

/** Hands a checked form to `save`, as `submitForm` does. */
export async function saveForm<T, Result>(
  form: ParsedForm<T>,
  save: (value: T) => Promise<Result>,
  shownStatuses: readonly number[] = SHOWN_STATUSES,
): Promise<SubmittedForm<Result>> {
  if (!form.ok) return form;
  try {
    return { ok: true, result: await save(form.value) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const isAtField = Object.keys(error.details.fields ?? {}).length > 0;
    if (!isAtField && !shownStatuses.includes(error.status)) throw error;
    return { ok: false, values: form.values, errors: formErrors(error) };
  }
}

/** A service's failure as errors of a form: at its fields, else at the form as a whole. */
function formErrors(error: AppError): FormErrors {
  const { fields = {} } = error.details;
  if (Object.keys(fields).length > 0) return fields;
  return { "": { key: error.key, params: error.params } };
}

/**
 * The texts of a posted form by name; a name sent several times gets a number for each. Throws 413
 * where the form has more than `bytesMax` bytes or `FIELDS_MAX` fields, and 400 where it is none.
 */
export async function readForm(req: Request, bytesMax = FORM_BYTES_MAX): Promise<FormValues> {
  const sent = new Map<string, string[]>();
  for (const [name, value] of await readFields(req, bytesMax)) {
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

/** `{"ssh.login": "x"}` as `{ssh: {login: "x"}}`. */
function treeOf(values: FormValues): FormTree {
  const root: FormTree = Object.create(null);
  for (const [name, text] of Object.entries(values)) {
    const path = name.split(".", NAME_PARTS_MAX + 1);
    if (path.length > NAME_PARTS_MAX) continue;
    const last = path.pop()!;
    let node = root;
    for (const part of path) {
      const child = node[part];
      node = typeof child === "object" ? child : node[part] = Object.create(null) as FormTree;
    }
    node[last] = text;
  }
  return root;
}
