import { rowKeys } from "../kv/keys.ts";
import { isKeyRuled } from "../resources/host_keys.ts";
import type { InventoryRow } from "../resources/inventories/schema.ts";
import { listedKeys } from "../resources/common/key_list.ts";
import type { TemplateRow } from "../templates/schema.ts";

interface RunnerNeeds {
  /** Labels that the runner must have. */
  labels: string[];
  /** Whether it must know several keys. */
  several_keys: boolean;
}

/**
 * Returns what the runner of a template's task must have. `inventoryId` is the task's own
 * inventory, if it has one.
 */
export async function runnerNeeds(
  kv: Deno.Kv,
  { project_id, inventory_id, runner_labels = [], ssh_keys = [] }: TemplateRow,
  inventoryId: number | null,
): Promise<RunnerNeeds> {
  const { value } = await kv.get<
    Pick<InventoryRow, "runner_labels" | "ssh_key_id" | "ssh_keys">
  >(
    rowKeys.resource("inventories", project_id, inventoryId ?? inventory_id ?? 0),
  );
  const keys = [...ssh_keys, ...listedKeys(value ?? {})];
  return {
    labels: [...new Set([...runner_labels, ...value?.runner_labels ?? []])],
    several_keys: await isKeyRuled(kv, project_id, keys),
  };
}

/** Same as `runnerNeeds`, only the labels. */
export const taskLabels = async (...args: Parameters<typeof runnerNeeds>): Promise<string[]> =>
  (await runnerNeeds(...args)).labels;
