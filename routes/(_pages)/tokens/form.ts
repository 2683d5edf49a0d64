import type * as z from "zod";
import { SHOW_TEMPLATES } from "@/components/access/TokenLimits.tsx";
import { type FormErrors, newForm, type ParsedForm, parseValues } from "@/lib/web/forms/form.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";

/** Scopes that a new form proposes: those of a script that runs tasks. */
export const newTokenForm = () => newForm({ "scopes.0": "read", "scopes.1": "run" });

/** Checks the form of a token. Its networks are lines, and a token is valid until a day's end. */
export function parseToken<T extends z.ZodType>(
  typed: FormValues,
  schema: T,
): ParsedForm<z.output<T>> {
  const { networks = "", expires_at: day, [SHOW_TEMPLATES]: _, ...values } = typed;
  const lines = networks.split(/[\s,;]+/).filter((line) => line !== "");
  const parsed = parseValues({
    ...values,
    ...day && { expires_at: /^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T23:59:59Z` : day },
    ...Object.fromEntries(lines.map((line, n) => [`networks.${n}`, line])),
  }, schema);
  const errors = fieldErrors(parsed.errors);
  // A body without scopes is a token for everything. A form without any tick is a mistake.
  if (!idsIn(typed, "scopes").length) errors.scopes = { key: "errors.required" };
  const isValid = parsed.ok && Object.keys(errors).length === 0;
  return isValid ? { ...parsed, values: typed } : { ok: false, values: typed, errors };
}

/** Moves the errors of single items to the field of their list. */
const fieldErrors = (errors: FormErrors): FormErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([name, error]) => [name.replace(/\.\d+$/, ""), error]),
  );

/** The values of a list's ticked boxes. */
export const idsIn = (values: FormValues, list: string): string[] =>
  Object.entries(values).filter(([name]) => name === list || name.startsWith(`${list}.`))
    .map(([, value]) => value);
