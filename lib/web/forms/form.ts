import type * as z from "zod";
import { AppError, type Sentence } from "../../base/errors.ts";
import { FIND } from "../../base/lists/find_choice.ts";
import { hasMembers, scalarText } from "../../base/text/exact_json.ts";
import { fieldMessages } from "../../base/parse.ts";
import type { FormDraft } from "../../people/form_drafts/schema.ts";
import { asSchemaWants, type FormTree } from "./form_tree.ts";
import { type FormValues, readForm } from "./read_form.ts";

/** Errors by field; "" stands for the form as a whole. */
export type FormErrors = Record<string, Sentence>;

/** Changes by someone else while a form was filled in, and the user's options. */
export interface Conflict {
  fields: ConflictField[];
  /** Whether a secret was changed. Neither of its texts is shown. */
  hidden: boolean;
}

export interface ConflictField {
  /** Name of the field, or of a list of rows. */
  name: string;
  mine: string;
  theirs: string;
  /** Proposed choice. Values that only the other person has changed stay changed. */
  keep: "mine" | "theirs";
  /** Digest of my value. If my value changes later, it wins. */
  digest: string;
}

/** State of a form, passed from the handler to the page and on to each field. */
export interface FormState {
  values: FormValues;
  errors: FormErrors;
  /** Whether a button has changed its fields, so that it comes back without errors. */
  isRedrawn?: boolean;
  /** Prefix of its fields' ids, for pages with several forms. */
  idPrefix?: string;
  /** Changes by someone else since this form was opened. */
  conflict?: Conflict;
  /** Parts that are missing in a form that is shown again after its session had ended. */
  restored?: Omit<FormDraft, "values">;
}

/** A form after it was checked. */
export type ParsedForm<T> =
  | { ok: true; value: T; values: FormValues; errors: FormErrors }
  | { ok: false; values: FormValues; errors: FormErrors };

export type SubmittedForm<T> =
  | { ok: true; result: T }
  | { ok: false; values: FormValues; errors: FormErrors };

/**
 * Maximum number of parts of a dotted name. No schema is deeper, so deeper names belong to no
 * field.
 */
const NAME_PARTS_MAX = 8;
/**
 * Statuses of failures caused by the input, which the form shows. Others lead to the error page.
 */
const SHOWN_STATUSES = [400, 409, 412, 413, 422, 429];

/** A value that differs each time a form is shown: see `makeOnce`. */
export const newOnce = (): { once: string } => ({ once: crypto.randomUUID() });

/** Returns a form before it is submitted: blank, or filled in with the stored values. */
export const newForm = (stored: object = {}): FormState => ({
  values: formValues(stored),
  errors: {},
});

/** Flattens an object to texts by the fields' dotted names. Blank and false fields are left out. */
export function formValues(stored: object): FormValues {
  return flatten(stored, "", {});
}

function flatten(stored: object, prefix: string, values: FormValues): FormValues {
  for (const [name, value] of Object.entries(stored)) {
    if (value === null || value === undefined || value === false) continue;
    if (hasMembers(value)) flatten(value, `${prefix}${name}.`, values);
    else values[prefix + name] = scalarText(value);
  }
  return values;
}

/**
 * Whether a button of the form was pressed that searches the options of a field. Such a form comes
 * back as it was sent, without errors, and is not saved.
 */
export const isSearching = (values: FormValues): boolean => (values[FIND] ?? "") !== "";

/** Reads a posted form and checks it with a schema of the API. An invalid form does not throw. */
export async function parseForm<T extends z.ZodType>(
  req: Request,
  schema: T,
  bytesMax?: number,
): Promise<ParsedForm<z.output<T>>> {
  return parseValues(await readForm(req, bytesMax), schema);
}

/** Checks the values from `readForm`, for pages whose fields differ slightly from the schema's. */
export function parseValues<T extends z.ZodType>(
  values: FormValues,
  schema: T,
): ParsedForm<z.output<T>> {
  if (isSearching(values)) return { ok: false, values, errors: {} };
  const parsed = schema.safeParse(asSchemaWants(schema, treeOf(values)));
  if (parsed.success) return { ok: true, value: parsed.data, values, errors: {} };
  return { ok: false, values, errors: fieldMessages(parsed.error) };
}

/**
 * Reads a posted form and passes it to `save`. Errors of `save` about the form become part of the
 * result. Other failures, such as a missing permission, are thrown.
 */
export async function submitForm<T extends z.ZodType, Result>(
  req: Request,
  schema: T,
  save: (value: z.output<T>) => Promise<Result>,
  { shownStatuses, bytesMax }: { shownStatuses?: readonly number[]; bytesMax?: number } = {},
): Promise<SubmittedForm<Result>> {
  return await saveForm(await parseForm(req, schema, bytesMax), save, shownStatuses);
}

/** Passes a checked form to `save`, as `submitForm` does. */
export async function saveForm<T, Result>(
  form: ParsedForm<T>,
  save: (value: T) => Promise<Result>,
  shownStatuses: readonly number[] = SHOWN_STATUSES,
): Promise<SubmittedForm<Result>> {
  if (!form.ok) return form;
  const { values } = form;
  if (isSearching(values)) return { ok: false, values, errors: {} };
  try {
    return { ok: true, result: await save(form.value) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const isAtField = Object.keys(error.details.fields ?? {}).length > 0;
    if (!isAtField && !shownStatuses.includes(error.status)) throw error;
    return { ok: false, values: form.values, errors: formErrors(error) };
  }
}

/** Converts a service's failure to errors of the form's fields, or else of the form as a whole. */
function formErrors(error: AppError): FormErrors {
  const { fields = {} } = error.details;
  if (Object.keys(fields).length > 0) return fields;
  return { "": { key: error.key, params: error.params } };
}

/** Converts `{"ssh.login": "x"}` to `{ssh: {login: "x"}}`. */
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
