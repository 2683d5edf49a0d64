import type { Deps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import { versionOfRow } from "../../base/version.ts";
import { environmentRows } from "../../resources/environments/repository.ts";
import { inventoryRows } from "../../resources/inventories/repository.ts";
import { repositoryRows } from "../../resources/repositories/repository.ts";
import { present } from "../../resources/common/present.ts";
import { findToolchain } from "../../resources/toolchains/choose.ts";
import { isPersonal } from "../../tasks/personal.ts";
import { isPinned, type Pin, type PinnedRow, readPin, storePin } from "../../tasks/pin_store.ts";
import { isPreviewing } from "../../tasks/preview_state.ts";
import type { TaskDraft } from "../../tasks/insert.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { storeWhileOpen } from "../../tasks/steps.ts";
import { environmentIds } from "../../templates/schema.ts";
import { accessOf } from "./pinned_access.ts";
import type { Store } from "../../store/store.ts";

/**
 * Returns the inputs of a previewed task, for the preview and for the real execution. They are
 * stored when the preview begins, so that the reviewed inputs are the executed ones. Those of a
 * task with secrets of its starter are stored at the start. Throws 409 if the task has ended
 * meanwhile.
 */
export async function pinOf(deps: Pick<Deps, "kv">, task: TaskRow): Promise<Pin> {
  const pinned = await readPin(deps.kv, task.id);
  if (pinned) return pinned;
  const pin = await newPin(deps, task);
  await storeWhileOpen(deps.kv, task, (op) => storePin(op, task.id, pin));
  return pin;
}

/** Returns the inputs of a task as they are now. */
export async function newPin({ kv }: Pick<Deps, "kv">, task: TaskDraft): Promise<Pin> {
  const row = await present(
    "inventory",
    inventoryRows.find(kv, task.project_id, task.inventory_id),
  );
  const { type, inventory: content, repository_id, ssh_key_id, ssh_keys, become_key_id } = row;
  const inventory = {
    ...{ type, inventory: content, repository_id, ssh_key_id, become_key_id },
    ...ssh_keys && { ssh_keys },
  };
  // Read before all other inputs, so that any later change is noticed.
  const rows = await findRows(kv, task, repository_id);
  return {
    inventory,
    ...pinnedRows(rows),
    ...isPersonal(task) && { access: await accessOf(kv, task, { inventory, ...rows }) },
  };
}

type Kind = "environment" | "repository" | "toolchain";

/**
 * Throws 409 if an environment or a repository has changed since the preview, because no one has
 * seen the effect of the change.
 */
export async function requireAsPreviewed({ kv }: Pick<Deps, "kv">, task: TaskRow): Promise<void> {
  const pin = await readPin(kv, task.id);
  if (!pin) return;
  const now = pinnedRows(await findRows(kv, task, pin.inventory.repository_id));
  const requireAll = (kind: Kind, before: PinnedRow[], rows: PinnedRow[]) => {
    const versions = new Map(rows.map(({ id, version }) => [id, version]));
    const changed = before.find(({ id, version }) => versions.get(id) !== version);
    if (changed) throw changedSincePreview(kind, changed);
  };
  requireAll("environment", pin.environments, now.environments);
  requireAll("repository", pin.repositories, now.repositories);
  requireAll("toolchain", pin.toolchains, now.toolchains);
}

/** Returns the row. Throws 409 if it has changed since the preview. */
export type Checked = <Row extends { id: number; name: string }>(kind: Kind, row: Row) => Row;

/**
 * Returns a check for the very rows that the plan uses. A change between a separate check and the
 * reading after it would go unnoticed.
 */
export async function pinGuard(deps: Pick<Deps, "kv">, task: TaskRow): Promise<Checked> {
  const pin = isPinned(task) ? await pinOf(deps, task) : null;
  const isStarters = isPersonal(task);
  // A preview shows the rows that it reads. A change after its pin is refused at the confirmation.
  if (!pin || isPreviewing(task) && !isStarters) return (_kind, row) => row;
  const pinned: Record<Kind, PinnedRow[]> = {
    environment: pin.environments,
    repository: pin.repositories,
    toolchain: pin.toolchains,
  };
  return (kind, row) => {
    const before = pinned[kind].find(({ id }) => id === row.id);
    if (before && before.version !== versionOfRow(row)) {
      throw isStarters ? changedSinceStart(before) : changedSincePreview(kind, before);
    }
    return row;
  };
}

const CHANGED: Record<Kind, string> = {
  environment: "errors.run.changed_since_preview",
  repository: "errors.run.repository_changed_since_preview",
  toolchain: "errors.run.toolchain_changed_since_preview",
};

const changedSincePreview = (kind: Kind, { name }: PinnedRow) =>
  new AppError(409, CHANGED[kind], { name });

const changedSinceStart = ({ name }: PinnedRow) =>
  new AppError(409, "errors.personal.changed_since_start", { name });

/** Returns the current inputs of a task besides its own row, without deleted ones. */
async function findRows(
  kv: Store,
  task: TaskDraft,
  inventoryRepositoryId: number | null,
) {
  const { project_id: projectId, repository_id, toolchain_id } = task;
  const repositoryIds = new Set([repository_id, inventoryRepositoryId ?? repository_id]);
  const [environments, repositories, toolchain] = await Promise.all([
    Promise.all(environmentIds(task).map((id) => environmentRows.find(kv, projectId, id))),
    Promise.all([...repositoryIds].map((id) => repositoryRows.find(kv, projectId, id))),
    toolchain_id === undefined ? null : findToolchain(kv, projectId, toolchain_id),
  ]);
  return {
    environments: rowsIn(environments),
    repositories: rowsIn(repositories),
    toolchains: rowsIn([toolchain]),
  };
}

const rowsIn = <Row>(found: ({ row: Row } | null)[]): Row[] =>
  found.flatMap((its) => its ? [its.row] : []);

const pinnedRows = (
  { environments, repositories, toolchains }: Awaited<ReturnType<typeof findRows>>,
) => ({
  environments: environments.map(pinnedRow),
  repositories: repositories.map(pinnedRow),
  toolchains: toolchains.map(pinnedRow),
});

const pinnedRow = (row: { id: number; name: string }): PinnedRow => ({
  id: row.id,
  name: row.name,
  version: versionOfRow(row),
});
