import type { ProjectScope } from "@/lib/access/scope.ts";
import { invalidField } from "@/lib/base/errors.ts";
import { KEY_LIST } from "@/components/keys/KeyRows.tsx";
import type { FormErrors } from "@/lib/web/forms/form.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";
import { withoutBlankRows, withoutGaps } from "@/lib/web/forms/rows.ts";
import type { InventoryForm, InventoryView } from "@/lib/resources/inventories/schema.ts";
import { isPassword, type KeyView } from "@/lib/resources/keys/schema.ts";
import { keyService } from "@/lib/resources/keys/service.ts";
import { keyErrorsAt } from "./key_rows.ts";

/** Returns the keys that the form offers for becoming root. A key chosen through the API stays. */
export const becomeKeys = (keys: KeyView[], current: InventoryView | null): KeyView[] =>
  keys.filter((key) => isPassword(key) || key.id === current?.become_key_id);

/** Throws 400 for a become key that the form does not offer. */
export async function requireOfferedKey(
  scope: ProjectScope,
  { become_key_id }: InventoryForm,
  current: InventoryView | null,
): Promise<void> {
  const keys = await keyService.list(scope);
  const becomeKey = keys.find(({ id }) => id === become_key_id);
  if (becomeKey && !becomeKeys(keys, current).includes(becomeKey)) {
    throw invalidField("become_key_id", "errors.keys.password_key_needed");
  }
}

/**
 * Converts the form's fields to the schema's, and the schema's errors back. The path of a file has
 * its own field.
 */
export function readInventoryForm(typed: FormValues) {
  const values = withoutGaps(withoutBlankRows(typed, KEY_LIST));
  if (typed.type !== "file") {
    return { values, errorsAt: (errors: FormErrors) => keyErrorsAt(errors, 1) };
  }
  return {
    values: { ...values, inventory: typed.path ?? "" },
    errorsAt: ({ inventory, ...others }: FormErrors): FormErrors => {
      const errors = keyErrorsAt(others, 1);
      return inventory ? { ...errors, path: inventory } : errors;
    },
  };
}
