import { inventoryRows } from "../../resources/inventories/repository.ts";
import { isKeyRuled } from "../../resources/host_keys.ts";
import type { InventoryRow } from "../../resources/inventories/schema.ts";
import type { KeptPlan } from "../../execution/run/plan.ts";
import { keptPaths } from "../../resources/common/keep_paths.ts";
import { listedKeys } from "../../resources/common/key_list.ts";
import type { TemplateHead } from "../../model/template_row.ts";
import type { Store } from "../../store/store.ts";

interface RunnerNeeds {
  /** Labels that the runner must have. */
  labels: string[];
  /** Whether it must know several keys. */
  several_keys: boolean;
  /** Paths that the template and the inventory keep between runs, which only servers can do. */
  keeps: KeptPlan[];
}

/** Returns the inventory of a template's task: its own, or that of the template. */
export async function taskInventory(
  kv: Store,
  { project_id, inventory_id }: TemplateHead,
  ownId: number | null,
): Promise<InventoryRow | null> {
  const found = await inventoryRows.find(kv, project_id, ownId ?? inventory_id ?? 0);
  return found?.row ?? null;
}

const labelsOf = (
  { runner_labels = [] }: TemplateHead,
  inventory: InventoryRow | null,
): string[] => [...new Set([...runner_labels, ...inventory?.runner_labels ?? []])];

/** Returns what the runner of a template's task on an inventory must have. */
export async function runnerNeeds(
  kv: Store,
  template: TemplateHead,
  inventory: InventoryRow | null,
): Promise<RunnerNeeds> {
  const keys = [...template.ssh_keys ?? [], ...inventory ? listedKeys(inventory) : []];
  return {
    labels: labelsOf(template, inventory),
    several_keys: await isKeyRuled(kv, template.project_id, keys),
    keeps: keepsOf(template, inventory),
  };
}

function keepsOf(template: TemplateHead, inventory: InventoryRow | null): KeptPlan[] {
  const own = keptPaths(template.keep_paths);
  const its = inventory?.type === "file" ? keptPaths(inventory.keep_paths) : [];
  return [
    ...own.length > 0 ? [{ of: "template" as const, paths: own }] : [],
    ...its.length > 0 ? [{ of: "inventory" as const, paths: its }] : [],
  ];
}

/** Returns the labels that the runner of a template's task must have. */
export const taskLabels = async (
  kv: Store,
  template: TemplateHead,
  inventoryId: number | null,
): Promise<string[]> => labelsOf(template, await taskInventory(kv, template, inventoryId));
