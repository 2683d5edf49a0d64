import { KEY_LIST } from "@/components/keys/KeyRows.tsx";
import type { FormErrors } from "@/lib/web/forms/form.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";
import { withRows } from "@/lib/web/forms/rows.ts";

/**
 * Returns the form after a button that adds or removes a key; null if another button was pressed.
 * The button stays among the values, so that the section of the keys is shown open.
 */
export const withOtherKeys = (values: FormValues): FormValues | null =>
  values.ssh_key ? withRows(values, KEY_LIST, values.ssh_key, "id") : null;

/** Returns the errors of a body's list at the rows of a form with `before` keys in front. */
export const keyErrorsAt = (errors: FormErrors, before: 0 | 1): FormErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([name, error]) => {
      const index = /^ssh_key_ids\.(\d+)$/.exec(name)?.[1];
      return [index === undefined ? name : `${KEY_LIST}.${Number(index) - before}.id`, error];
    }),
  );
