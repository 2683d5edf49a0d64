import { AppError, type Sentence } from "../../base/errors.ts";
import { readIndexed } from "../../events/repository.ts";
import type { EventObject } from "../../events/schema.ts";
import { type Ref, rowKeys } from "../../store/keys.ts";
import { findTarget } from "../../store/references.ts";
import type { Store } from "../../store/store.ts";
import { environmentRows } from "../../resources/environments/repository.ts";
import { inventoryRows } from "../../resources/inventories/repository.ts";
import { repositoryRows } from "../../resources/repositories/repository.ts";
import { chosenToolchain } from "../../resources/toolchains/choose.ts";
import type { InputRow } from "../../tasks/approved_inputs.ts";
import { chosenInventory } from "../../tasks/start_params.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { environmentIds, type TemplateRow } from "../../templates/schema.ts";
import { accessOf } from "./pinned_access.ts";
import { findProjectEntry } from "../../model/projects.ts";

/** The key of the reason of a task that runs with other inputs than those approved. */
const CHANGED = "errors.run.changed_since_approval";

/** The objects that a task runs with. */
type Using =
  & Pick<TaskRow, "project_id" | "inventory_id" | "repository_id" | "ssh_keys" | "vaults">
  & Pick<TaskRow, "environment_id" | "more_environment_ids" | "toolchain_id">;

/** Returns the rows of the objects that a task runs with, besides its own row. */
export async function inputRows(kv: Store, task: Using): Promise<InputRow[]> {
  const { project_id: projectId, inventory_id, repository_id, toolchain_id } = task;
  const inventory = (await inventoryRows.find(kv, projectId, inventory_id))?.row;
  const repositoryIds = [...new Set([repository_id, inventory?.repository_id ?? repository_id])];
  const [environments, repositories] = await Promise.all([
    Promise.all(environmentIds(task).map((id) => environmentRows.find(kv, projectId, id))),
    Promise.all(repositoryIds.map((id) => repositoryRows.find(kv, projectId, id))),
  ]);
  const refs: Ref[] = [
    ["inventories", inventory_id],
    ...environmentIds(task).map((id): Ref => ["environments", id]),
    ...repositoryIds.map((id): Ref => ["repositories", id]),
    ...toolchain_id === undefined ? [] : [["toolchains", toolchain_id] as const],
  ];
  const access = inventory && await accessOf(kv, task, {
    inventory,
    environments: environments.flatMap((found) => found?.row ?? []),
    repositories: repositories.flatMap((found) => found?.row ?? []),
  });
  return [...await versionsOf(kv, projectId, refs), ...access ?? []];
}

/** Returns the rows that a task of a template would run with now, and the template's own. */
export async function templateInputs(
  kv: Store,
  template: TemplateRow,
  params: Record<string, unknown> | null,
): Promise<InputRow[]> {
  const { project_id: projectId, id } = template;
  const inventory_id = chosenInventory(params) ?? template.inventory_id ?? 0;
  const [inventory, project] = await Promise.all([
    inventoryRows.find(kv, projectId, inventory_id),
    findProjectEntry(kv, projectId),
  ]);
  const choosing = [template, inventory?.row ?? null, project.value];
  const vaults = template.vaults.flatMap(({ vault_key_id, ...vault }) =>
    vault_key_id === null ? [] : { ...vault, vault_key_id }
  );
  const toolchain_id = await chosenToolchain(kv, choosing) ?? undefined;
  return [
    ...await versionsOf(kv, projectId, [["templates", id]]),
    ...await inputRows(kv, { ...template, inventory_id, toolchain_id, vaults }),
  ];
}

/** Returns the versions of rows as they are now. */
export async function versionsOf(
  kv: Store,
  projectId: number,
  refs: readonly Ref[],
): Promise<InputRow[]> {
  const entries = await Promise.all(refs.map((ref) => findTarget(kv, projectId, ref)));
  return entries.map(({ value, versionstamp }, n) => ({
    ref: refs[n],
    name: (value as { name?: string } | null)?.name ?? "",
    version: versionstamp ?? "",
  }));
}

/** Returns the first of the rows that is not among those approved; undefined if all are. */
export function changedInput(
  approved: readonly InputRow[],
  now: readonly InputRow[],
): InputRow | undefined {
  const versions = new Map(approved.map(({ ref, version }) => [ref.join(), version]));
  return now.find(({ ref, version }) => versions.get(ref.join()) !== version);
}

const OBJECTS: Partial<Record<Ref[0], EventObject>> = {
  templates: "template",
  inventories: "inventory",
  environments: "environment",
  repositories: "repository",
  keys: "key",
  secret_storages: "secret_storage",
  toolchains: "toolchain",
  workflows: "workflow",
};

/** Returns what changed after an approval, and who did it, as far as the events say. */
export async function changeOf(
  kv: Store,
  projectId: number,
  { ref: [kind, id], name }: InputRow,
): Promise<Sentence> {
  const object = OBJECTS[kind] ?? "template";
  const prefix = rowKeys.objectEvents(projectId, object, id, 0);
  const rows = await Array.fromAsync(kv.list({ prefix }, { reverse: true, limit: 1 }));
  const [last] = await readIndexed(kv, projectId, rows);
  const change: Sentence = { key: `events.${object}.updated`, params: { name, id } };
  const person = last?.row.action === "updated" ? last.row.username : null;
  return person === null
    ? { key: CHANGED, params: { change } }
    : { key: `${CHANGED}_by`, params: { change, person } };
}

/** Whether a reason says that an input changed after an approval. */
export const saysChanged = (reason: Sentence | null | undefined): boolean =>
  reason?.key === CHANGED || reason?.key === `${CHANGED}_by`;

/** Throws 409 with the first of the rows that is not as it was approved. */
export async function requireApproved(
  kv: Store,
  projectId: number,
  approved: readonly InputRow[],
): Promise<void> {
  const keys = approved.map(({ ref }) => ref);
  const changed = changedInput(approved, await versionsOf(kv, projectId, keys));
  if (!changed) return;
  const { key, params } = await changeOf(kv, projectId, changed);
  throw new AppError(409, key, params);
}
