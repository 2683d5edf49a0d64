import type { ProjectScope } from "../access/scope.ts";
import { getTask } from "../tasks/repository.ts";
import { listChanges } from "./change_store.ts";
import { findHostChanges, readResults } from "./find_results.ts";
import { readDiffs } from "./result_store.ts";
import type { Change, HostResult } from "./schema.ts";
import { runOf, type WhichRun } from "../tasks/run_id.ts";
import { type RunModes, runModes } from "../tasks/run_modes.ts";

/**
 * What a run has changed: a change that is the same on several hosts once, by play task, and what
 * nobody knows more of last.
 */
export async function listRunChanges(
  { deps: { kv }, projectId }: ProjectScope,
  taskId: number,
  { after, limit, preview }: { after?: string; limit: number } & WhichRun,
): Promise<{ changes: Change[]; next: string | null }> {
  const { id } = await getTask(kv, projectId, taskId);
  const run = runOf(id, preview);
  const [task, diff] = /^(\d{1,6})\.(\d{1,6})$/.exec(after ?? "")?.slice(1).map(Number) ?? [];
  const rows = await listChanges(kv, run, {
    after: task === undefined ? null : { task, diff },
    limit: limit + 1,
  });
  const shown = rows.slice(0, limit);
  const diffs = await readDiffs(kv, run, shown.map((row) => row.diff));
  const changes = shown.map((row) => ({
    id: `${row.task}.${row.diff}`,
    play_task_id: row.task,
    diff: diffs.get(row.diff) ?? "",
    host_ids: row.hosts,
    more: row.more,
  }));
  return { changes, next: rows.length > limit ? changes.at(-1)!.id : null };
}

/** What a run has changed on one host, in the same order: at most `limit` results after `skip`. */
export async function listHostChanges(
  { deps: { kv }, projectId }: ProjectScope,
  taskId: number,
  { hostId, skip, limit, preview }: { hostId: number; skip: number; limit: number } & WhichRun,
): Promise<{ results: HostResult[]; total: number }> {
  const { id } = await getTask(kv, projectId, taskId);
  const run = runOf(id, preview);
  const places = await findHostChanges(kv, run, hostId);
  const results = await readResults(kv, run, places.slice(skip, skip + limit));
  return { results, total: places.length };
}

/** How a run was started: to change nothing, and to show what it changes. */
export async function getRunModes(
  { deps: { kv }, projectId }: ProjectScope,
  taskId: number,
  { preview }: WhichRun = {},
): Promise<RunModes> {
  const task = await getTask(kv, projectId, taskId);
  return preview ? { check: true, diff: true } : runModes(task);
}
