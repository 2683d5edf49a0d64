import type { Deps } from "../access/deps.ts";
import { AppError } from "../base/errors.ts";
import { versionOfRow } from "../base/version.ts";
import { environmentRows } from "../parts/environments/repository.ts";
import { inventoryRows } from "../parts/inventories/repository.ts";
import { present } from "../parts/run_parts.ts";
import { type Pin, readPin, storePin } from "../tasks/pin_store.ts";
import type { TaskRow } from "../tasks/schema.ts";
import { storeWhileOpen } from "../tasks/steps.ts";
import { environmentIds } from "../templates/schema.ts";

/**
 * What a task that is previewed runs with, both times: stored when the preview begins, so that what
 * is carried out is what was looked at. Throws 409 when the task has got its end meanwhile.
 */
export async function pinOf({ kv }: Pick<Deps, "kv">, task: TaskRow): Promise<Pin> {
  const pinned = await readPin(kv, task.id);
  if (pinned) return pinned;
  // Before anything is read for the run: a change from now on is noticed.
  const environments = await environmentsOf(kv, task);
  const row = await present(
    "inventory",
    inventoryRows.find(kv, task.project_id, task.inventory_id),
  );
  const { type, inventory, repository_id, ssh_key_id, become_key_id } = row;
  const pin: Pin = {
    inventory: { type, inventory, repository_id, ssh_key_id, become_key_id },
    environments,
  };
  await storeWhileOpen(kv, task, (op) => storePin(op, task.id, pin));
  return pin;
}

/** Throws 409 when an environment was changed since the preview: nobody has seen what that does. */
export async function requireAsPreviewed({ kv }: Pick<Deps, "kv">, task: TaskRow): Promise<void> {
  const [pin, now] = await Promise.all([readPin(kv, task.id), environmentsOf(kv, task)]);
  const versions = new Map(now.map(({ id, version }) => [id, version]));
  const changed = pin?.environments.find(({ id, version }) => versions.get(id) !== version);
  if (changed) {
    throw new AppError(409, "errors.run.changed_since_preview", { name: changed.name });
  }
}

async function environmentsOf(kv: Deno.Kv, task: TaskRow): Promise<Pin["environments"]> {
  const rows = await Promise.all(
    environmentIds(task).map((id) => environmentRows.find(kv, task.project_id, id)),
  );
  return rows.flatMap((found) =>
    found ? { id: found.row.id, name: found.row.name, version: versionOfRow(found.row) } : []
  );
}
