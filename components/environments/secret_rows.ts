import type { FormErrors } from "../../lib/web/forms/form.ts";
import type { FormValues } from "../../lib/web/forms/read_form.ts";

/** The numbers under which a form holds secrets, in order. */
export function secretNumbers(values: FormValues): number[] {
  const numbers = Object.keys(values).flatMap((name) => {
    const match = /^secrets\.(\d{1,3})\./.exec(name);
    return match ? [Number(match[1])] : [];
  });
  return [...new Set(numbers)].toSorted((a, b) => a - b);
}

/** The form with one more, blank secret. */
export function withBlankSecret(values: FormValues): FormValues {
  const next = (secretNumbers(values).at(-1) ?? -1) + 1;
  return { ...values, [`secrets.${next}.type`]: "var" };
}

/**
 * The form as the API takes it: what is to be done with each secret that was touched. Blank rows
 * are left out; `kept` says which row of the form each secret of the API came from.
 */
export function asSecretChanges(values: FormValues): { values: FormValues; kept: number[] } {
  const changed: FormValues = Object.fromEntries(
    Object.entries(values).filter(([name]) => !name.startsWith("secrets.")),
  );
  const kept: number[] = [];
  for (const number of secretNumbers(values)) {
    const of = (field: string) => values[`secrets.${number}.${field}`] ?? "";
    if (of("id") === "" && of("name") === "" && of("secret") === "") continue;
    const operation = of("id") === "" ? "create" : of("remove") === "true" ? "delete" : "update";
    for (const field of ["id", "name", "type", "secret"]) {
      changed[`secrets.${kept.length}.${field}`] = of(field);
    }
    changed[`secrets.${kept.length}.operation`] = operation;
    kept.push(number);
  }
  return { values: changed, kept };
}

/** Errors of the API's secrets, at the rows of the form that they came from. */
export const atTheirRows = (errors: FormErrors, kept: number[]): FormErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([name, error]) => [
      name.replace(/^secrets\.(\d+)\./, (_, index) => `secrets.${kept[Number(index)]}.`),
      error,
    ]),
  );
