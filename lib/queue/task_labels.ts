import { rowKeys } from "../kv/keys.ts";
import type { InventoryRow } from "../resources/inventories/schema.ts";
import type { TemplateRow } from "../templates/schema.ts";

/**
 * Returns the labels that the runner of a template's task must have. `inventoryId` is the task's
 * own inventory, if it has one.
 */
export async function taskLabels(
  kv: Deno.Kv,
  { project_id, inventory_id, runner_labels = [] }: TemplateRow,
  inventoryId: number | null,
): Promise<string[]> {
  const { value } = await kv.get<Pick<InventoryRow, "runner_labels">>(
    rowKeys.resource("inventories", project_id, inventoryId ?? inventory_id ?? 0),
  );
  return [...new Set([...runner_labels, ...value?.runner_labels ?? []])];
}
