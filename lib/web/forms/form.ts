import type { z } from "zod";
import { AppError, type Sentence } from "../../base/errors.ts";
import { fieldMessages } from "../../base/parse.ts";
import type { KeptForm } from "../../people/kept_forms/schema.ts";
import { asSchemaWants, type FormTree } from "./form_tree.ts";
import { type FormValues, readForm } from "./read_form.ts";

/** What is wrong with which field; "" is the form as a whole. */
export type FormErrors = Record<string, Sentence>;

/** What was changed by somebody else while a form was filled in, and what may be done about it. */
export interface Conflict {
  fields: ConflictField[];
  /** Whether a secret was changed, of which neither text is shown. */
  hidden: boolean;
}

export interface ConflictField {
  /** Of the field, or of a list of rows. */
  name: string;
  mine: string;
  theirs: string;
  /** What is proposed: what only they have changed stays as they made it. */
  keep: "mine" | "theirs";
  /** Of mine as it is now: who types on afterwards means that. */
  digest: string;
}

/** What a form shows: handed from the handler to the page, and on to each field. */
export interface FormState {
  values: FormValues;
  errors: FormErrors;
  /** What its fields' ids begin with, where a page has several forms. */
  idPrefix?: string;
  /** What somebody else has changed since this form was opened. */
  conflict?: Conflict;
  /** It shows what was typed before a session ended: what of that is missing. */
  restored?: Omit<KeptForm, "values">;
}

type ParsedForm<T> =
  | { ok: true; value: T; values: FormValues; errors: FormErrors }
  | { ok: false; values: FormValues; errors: FormErrors };

export type SubmittedForm<T> =
  | { ok: true; result: T }
  | { ok: false; values: FormValues; errors: FormErrors };

/** Parts of a dotted name; no schema is deeper. What is sent further down is for no field. */
const NAME_PARTS_MAX = 8;
/** Failures that are about what was typed: shown in the form. Others go on to the error page. */
const SHOWN_STATUSES = [400, 409, 412, 413, 422, 429];

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
