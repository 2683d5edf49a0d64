import type { FormErrors } from "../../lib/web/forms/form.ts";
import type { FormValues } from "../../lib/web/forms/read_form.ts";
import { atSource, readSourceFields } from "../secret_storages/SourceFields.tsx";
import { rowNumbers } from "../../lib/web/forms/rows.ts";

/**
 * Returns the form as the API takes it: an action for each secret that was touched. Blank rows are
 * left out; `kept` maps each secret of the API to its row of the form.
 */
export function asSecretChanges(values: FormValues): { values: FormValues; kept: number[] } {
  const changed: FormValues = Object.fromEntries(
    Object.entries(values).filter(([name]) => !name.startsWith("secrets.")),
  );
  const kept: number[] = [];
  for (const number of rowNumbers(values, "secrets")) {
    const of = (field: string) => values[`secrets.${number}.${field}`] ?? "";
    if (of("id") === "" && of("name") === "" && of("secret") === "") continue;
    const operation = of("id") === "" ? "create" : of("remove") === "true" ? "delete" : "update";
    for (const field of ["id", "name", "type", "secret"]) {
      changed[`secrets.${kept.length}.${field}`] = of(field);
    }
    Object.assign(changed, sourceOf(values, number, kept.length));
    changed[`secrets.${kept.length}.operation`] = operation;
    kept.push(number);
  }
  return { values: changed, kept };
}

/** Returns the place of a value, if it is not here, as a member of the API's secret `at`. */
function sourceOf(values: FormValues, number: number, at: number): FormValues {
  const name = `secrets.${number}.source`;
  const own = Object.entries(values).filter(([field]) => field.startsWith(`${name}.`));
  return Object.fromEntries(
    Object.entries(readSourceFields(Object.fromEntries(own), name))
      .map(([field, value]) => [field.replace(name, `secrets.${at}.source`), value]),
  );
}

/**
 * Returns the errors of the API's secrets, assigned to the rows of the form that they came from.
 */
export const atTheirRows = (errors: FormErrors, kept: number[]): FormErrors =>
  Object.fromEntries(
    Object.entries(atSource(errors)).map(([name, error]) => [
      name.replace(/^secrets\.(\d+)\./, (_, index) => `secrets.${kept[Number(index)]}.`),
      error,
    ]),
  );
