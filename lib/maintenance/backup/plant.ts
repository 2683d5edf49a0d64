import type { UserActor } from "../../access/actor.ts";
import { doBegun, putBegun } from "../../jobs/begun.ts";
import type { Job, JobDeps } from "../../jobs/worker.ts";
import { plantRule, plantSetup, plantTarget } from "../../alerts/plant.ts";
import { environmentRows } from "../../resources/environments/repository.ts";
import { gitCredentialRows } from "../../resources/git_credentials/repository.ts";
import { recordEvent } from "../../events/record.ts";
import { claimAlias, integrationRows } from "../../triggers/integrations/repository.ts";
import { inventoryRows } from "../../resources/inventories/repository.ts";
import { secretStorageRows } from "../../resources/secret_storages/repository.ts";
import { keyRows } from "../../resources/keys/repository.ts";
import { rowKeys } from "../../store/keys.ts";
import { commitOnce, transact } from "../../store/transact.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { deletion } from "../projects/deletion.ts";
import { type ProjectDeletion, projectDeletions, removeProject } from "../projects/sweep.ts";
import { repositoryRows } from "../../resources/repositories/repository.ts";
import { plantRunner } from "../../runners/repository.ts";
import { scheduleRows, setDue } from "../../triggers/schedules/repository.ts";
import { setMember } from "../../access/members.ts";
import { templateRows } from "../../templates/repository.ts";
import { viewRows } from "../../templates/views/repository.ts";
import { toolchainRows } from "../../resources/toolchains/repository.ts";
import { workflowRows } from "../../workflows/repository.ts";
import type { ProjectRows } from "./rows.ts";

/** Number of schedules whose times are set in one commit. */
const DUES_PER_COMMIT = 300;

/**
 * Stores a whole project, all or nothing. It does not fit into one commit, so its rows are stored
 * under a project that is marked as being deleted. No one sees that project, and the job that
 * deletes it is stored with it. The last commit removes the mark and the job.
 */
export async function plantProject(
  deps: JobDeps,
  actor: UserActor,
  rows: ProjectRows,
): Promise<void> {
  const { kv } = deps;
  const { id } = rows.project;
  const op = kv.atomic().check({ key: rowKeys.project(id), versionstamp: null })
    .set(rowKeys.project(id), { ...rows.project, deleting: true });
  const begun = putBegun(op, deps, projectDeletions, { project_id: id });
  await commitOnce(op);
  const restore = deletion<JobDeps>(async (deps, job) => {
    try {
      await plantRows(kv, rows);
      await reveal(deps, actor, rows, job);
    } catch (error) {
      await removeProject(kv, id, job.end);
      throw error;
    }
  });
  await doBegun(deps, restore, begun);
}

async function plantRows(kv: Store, rows: ProjectRows): Promise<void> {
  await plantAll(kv, secretStorageRows, rows.secret_storages);
  await plantAll(kv, keyRows, rows.keys);
  await plantAll(kv, toolchainRows, rows.toolchains);
  await plantAll(kv, gitCredentialRows, rows.git_credentials);
  await plantAll(kv, environmentRows, rows.environments);
  await plantAll(kv, viewRows, rows.views);
  await plantAll(kv, repositoryRows, rows.repositories);
  await plantAll(kv, inventoryRows, rows.inventories);
  await plantAll(kv, templateRows, rows.templates);
  await plantAll(kv, workflowRows, rows.workflows);
  await plantAll(kv, scheduleRows, rows.schedules);
  await plantAll(kv, integrationRows, rows.integrations);
  await plantAliases(kv, rows);
  await plantAll(kv, { plant: plantTarget }, rows.alert_targets);
  await plantAll(kv, { plant: plantRule }, rows.alert_rules);
  await commit(kv, (op) => plantSetup(op, rows.project.id, rows));
  for (const row of rows.runners) await transact(kv, (op) => plantRunner(kv, op, row));
}

/**
 * Limits of rows and characters per commit. Both leave room for references and for multi-byte
 * characters.
 */
const ROWS_PER_COMMIT = 30;
const LETTERS_PER_COMMIT = 200 * 1024;

async function plantAll<Row>(
  kv: Store,
  { plant }: { plant(op: Atomic, row: Row): void },
  rows: Row[],
): Promise<void> {
  let batch: Row[] = [];
  let letters = 0;
  const flush = () => commit(kv, (op) => batch.forEach((row) => plant(op, row)));
  for (const row of rows) {
    const size = JSON.stringify(row).length;
    if (batch.length === ROWS_PER_COMMIT || letters + size > LETTERS_PER_COMMIT) {
      await flush();
      [batch, letters] = [[], 0];
    }
    batch.push(row);
    letters += size;
  }
  await flush();
}

/** Claims the addresses. Throws if one of them was given away meanwhile. */
async function plantAliases(kv: Store, { project, integrations, aliases }: ProjectRows) {
  const project_id = project.id;
  for (const row of integrations) {
    const target = { project_id, integration_id: row.id };
    for (const alias of row.aliases) await commit(kv, (op) => claimAlias(op, alias, target));
  }
  const target = { project_id, integration_id: null };
  for (const alias of aliases) await commit(kv, (op) => claimAlias(op, alias, target));
  if (aliases.length > 0) {
    await commit(kv, (op) => op.set(rowKeys.projectAliases(project_id), aliases));
  }
}

async function commit(kv: Store, add: (op: Atomic) => void): Promise<void> {
  const op = kv.atomic();
  add(op);
  await commitOnce(op);
}

/** Makes the project visible, adds its owner and activates its schedules. */
async function reveal(
  deps: JobDeps,
  actor: UserActor,
  { project, schedules }: ProjectRows,
  job: Job<ProjectDeletion>,
): Promise<void> {
  const { kv } = deps;
  // The earliest times are set last, so that no schedule becomes due while its project is hidden.
  const latestFirst = schedules.toSorted((a, b) =>
    (b.next_at ?? "").localeCompare(a.next_at ?? "")
  );
  const batches = [];
  for (let at = 0; at < latestFirst.length; at += DUES_PER_COMMIT) {
    batches.push(latestFirst.slice(at, at + DUES_PER_COMMIT));
  }
  const last = batches.pop() ?? [];
  for (const batch of batches) await commit(kv, (op) => batch.forEach((row) => setDue(op, row)));

  await transact(kv, async (op) => {
    await job.end(op);
    op.set(rowKeys.project(project.id), project);
    setMember(op, { project_id: project.id, user_id: actor.id, role: "owner" });
    op.set(rowKeys.ownersGuard(project.id), actor.id);
    last.forEach((row) => setDue(op, row));
    recordEvent(op, deps, actor, {
      projectId: project.id,
      object: "project",
      id: project.id,
      name: project.name,
      action: "restored",
    });
  });
}
