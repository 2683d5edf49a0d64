import { isProjectToken } from "../../access/actor.ts";
import type { ProjectScope } from "../../access/scope.ts";
import { inventoryRows } from "../../resources/inventories/repository.ts";
import { listOwnKeyRows } from "../../resources/own_keys/repository.ts";
import type { Personal } from "../../tasks/personal.ts";
import { templateRows } from "../../templates/repository.ts";
import { allowancesFor } from "./overrides.ts";
import { personalOfTask } from "./personal.ts";

/** Secrets that a form asks the starter of a task for. */
export interface AskedPersonal extends Personal {
  /** The keys to choose from, which are those of the reader. */
  keys: { id: number; name: string }[];
}

/**
 * Returns what a form asks for before a task of the template starts. A key is also offered if the
 * task may choose an inventory that requires one.
 */
export async function findAskedPersonal(
  { deps: { kv }, actor, projectId, permissions }: ProjectScope,
  templateId: number,
  inventoryId: number | null = null,
): Promise<AskedPersonal> {
  const template = await templateRows.get(kv, projectId, templateId);
  const personal = await personalOfTask(kv, template, inventoryId);
  const ownKey = personal.ownKey || allowancesFor({ permissions }, template).inventory_id &&
      (await inventoryRows.list(kv, projectId)).some(({ own_key }) => own_key);
  const rows = ownKey && actor.kind === "user" && !isProjectToken(actor)
    ? await listOwnKeyRows(kv, actor.id)
    : [];
  return { ...personal, ownKey, keys: rows.map(({ id, name }) => ({ id, name })) };
}
