import type { ProjectScope } from "../access/scope.ts";
import { getTaskRow } from "../tasks/repository.ts";
import { findChange, listChanges, type StoredChange } from "./change_store.ts";
import { findHostChanges, readResults } from "./find_results.ts";
import { readDiffs } from "./result_store.ts";
import type { Change, HostResultView } from "./schema.ts";
import { runOf, type WhichRun } from "../output/run_id.ts";
import { type RunModes, runModes } from "../tasks/run_modes.ts";

/**
 * Returns the changes of an execution by Ansible task, with unknown changes last. A change that is
 * the same on several hosts is listed once.
 */
export async function listRunChanges(
  { deps: { kv }, projectId }: ProjectScope,
  taskId: number,
  { after, limit, preview }: { after?: string; limit: number } & WhichRun,
): Promise<{ changes: Change[]; next: string | null }> {
  const { id } = await getTaskRow(kv, projectId, taskId);
  const run = runOf(id, preview);
  const rows = await listChanges(kv, run, { after: placeOf(after), limit: limit + 1 });
  const changes = await readChanges(kv, run, rows.slice(0, limit));
  return { changes, next: rows.length > limit ? changes.at(-1)!.id : null };
}

/** Returns one change by its id; null if there is none. */
export async function findRunChange(
  { deps: { kv }, projectId }: ProjectScope,
  taskId: number,
  changeId: string,
  { preview }: WhichRun = {},
): Promise<Change | null> {
  const { id } = await getTaskRow(kv, projectId, taskId);
  const run = runOf(id, preview);
  const place = placeOf(changeId);
  const row = place && await findChange(kv, run, place);
  return row && (await readChanges(kv, run, [row]))[0];
}

/** Returns the position of a change from its id; null if the id is not valid. */
function placeOf(id = "") {
  const [task, diff] = /^(\d{1,6})\.(\d{1,6})$/.exec(id)?.slice(1).map(Number) ?? [];
  return task === undefined ? null : { task, diff };
}

async function readChanges(kv: Deno.Kv, run: number, rows: StoredChange[]): Promise<Change[]> {
  const diffs = await readDiffs(kv, run, rows.map((row) => row.diff));
  return rows.map((row) => ({
    id: `${row.task}.${row.diff}`,
    play_task_id: row.task,
    diff: diffs.get(row.diff) ?? "",
    host_ids: row.hosts,
    done_ids: row.done ?? [],
    more: row.more,
  }));
}

/** Returns the changes on one host in the same order, at most `limit` results after `skip`. */
export async function listHostChanges(
  { deps: { kv }, projectId }: ProjectScope,
  taskId: number,
  { hostId, skip, limit, preview }: { hostId: number; skip: number; limit: number } & WhichRun,
): Promise<{ results: HostResultView[]; total: number }> {
  const { id } = await getTaskRow(kv, projectId, taskId);
  const run = runOf(id, preview);
  const places = await findHostChanges(kv, run, hostId);
  const results = await readResults(kv, run, places.slice(skip, skip + limit));
  return { results, total: places.length };
}

/** Returns whether an execution was in check mode and in diff mode. */
export async function getRunModes(
  { deps: { kv }, projectId }: ProjectScope,
  taskId: number,
  { preview }: WhichRun = {},
): Promise<RunModes> {
  const task = await getTaskRow(kv, projectId, taskId);
  const modes = runModes(task);
  // As far as the task's settings show. Vaults in its repository are known only to the execution.
  return preview ? { check: true, diff: modes.diff || task.vaults.length === 0 } : modes;
}
