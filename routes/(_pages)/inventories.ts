import { type ProjectScope, reopen } from "@/lib/access/scope.ts";
import { invalidField } from "@/lib/base/errors.ts";
import { keyService } from "@/lib/parts/keys/service.ts";
import type { KeyView } from "@/lib/parts/keys/schema.ts";
import type { InventoryForm, InventoryView } from "@/lib/parts/inventories/schema.ts";
import { inventoryService } from "@/lib/parts/inventories/service.ts";

/** The keys that the form offers for becoming root; one that a client of the API chose stays. */
export const becomeKeys = (keys: KeyView[], current: InventoryView | null): KeyView[] =>
  keys.filter(({ id, type }) => type === "login_password" || id === current?.become_key_id);

/** Stores what the form says. Throws 400 for a become key that it does not offer. */
export async function saveInventory(
  scope: ProjectScope,
  current: InventoryView | null,
  form: InventoryForm,
): Promise<void> {
  const keys = await keyService.list(scope);
  const becomeKey = keys.find(({ id }) => id === form.become_key_id);
  if (becomeKey && !becomeKeys(keys, current).includes(becomeKey)) {
    throw invalidField("become_key_id", "errors.keys.password_key_needed");
  }
  if (current) {
    await inventoryService.update(await reopen(scope, "manage_resources"), current.id, form);
  } else await inventoryService.create(await reopen(scope, "manage_resources"), form);
}
