import type { ProjectScope } from "../access/scope.ts";
import { getSeenTask } from "../access/seen/tasks.ts";
import { findHostChanges, readResults } from "./find_results.ts";
import { findHead, readDiffs } from "./result_store.ts";
import type { Change, HostResultView } from "./schema.ts";
import { runOf, type WhichRun } from "../output/run_id.ts";
import { getAll } from "../store/rows/get_all.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import type { ChangeRow } from "./rows.ts";
import type { TaskRow } from "../model/task_row.ts";
import { parseStrings } from "../tasks/start_form.ts";

/**
 * Returns the changes of an execution by Ansible task, with unknown changes last. A change that is
 * the same on several hosts is listed once.
 */
export async function listRunChanges(
  scope: ProjectScope,
  taskId: number,
  { after, limit, preview }: { after?: string; limit: number } & WhichRun,
): Promise<{ changes: Change[]; next: string | null }> {
  const { kv } = scope.deps;
  const { id } = await getSeenTask(scope, taskId);
  const run = runOf(id, preview);
  const rows = await listChanges(kv, run, { after: placeOf(after), limit: limit + 1 });
  const changes = await readChanges(kv, run, rows.slice(0, limit));
  return { changes, next: rows.length > limit ? changes.at(-1)!.id : null };
}

/** Returns one change by its id; null if there is none. */
export async function findRunChange(
  scope: ProjectScope,
  taskId: number,
  changeId: string,
  { preview }: WhichRun = {},
): Promise<Change | null> {
  const { kv } = scope.deps;
  const { id } = await getSeenTask(scope, taskId);
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

async function readChanges(kv: Store, run: number, rows: StoredChange[]): Promise<Change[]> {
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
  scope: ProjectScope,
  taskId: number,
  { hostId, skip, limit, preview }: { hostId: number; skip: number; limit: number } & WhichRun,
): Promise<{ results: HostResultView[]; total: number }> {
  const { kv } = scope.deps;
  const { id } = await getSeenTask(scope, taskId);
  const run = runOf(id, preview);
  const places = await findHostChanges(kv, run, hostId);
  const results = await readResults(kv, run, places.slice(skip, skip + limit));
  return { results, total: places.length };
}

/** Returns whether an execution was in check mode and in diff mode. */
export async function getRunModes(
  scope: ProjectScope,
  taskId: number,
  { preview }: WhichRun = {},
): Promise<RunModes> {
  const task = await getSeenTask(scope, taskId);
  const modes = runModes(task);
  // As far as the task's settings show. Vaults in its repository are known only to the execution.
  return preview || task.check
    ? { check: true, diff: modes.diff || task.vaults.length === 0 }
    : modes;
}

/** Number of Ansible tasks that are searched in parallel for unknown changes. */
const TASKS_AT_ONCE = 100;

interface ChangeKey {
  task: number;
  /** Number of the difference; 0 for an unknown one. */
  diff: number;
}

interface ChangePage {
  after: ChangeKey | null;
  limit: number;
}

type StoredChange = ChangeRow & ChangeKey;

/**
 * Returns groups of hosts with the same change, at most `limit` after `after`. They are ordered by
 * Ansible task, with unknown changes last.
 */
export async function listChanges(
  kv: Store,
  taskId: number,
  { after, limit }: ChangePage,
): Promise<StoredChange[]> {
  const isLast = after?.diff === 0;
  const known = isLast ? [] : await listKnown(kv, taskId, { after, limit });
  const others = { after: isLast ? after.task : 0, limit: limit - known.length };
  return [...known, ...await listUnknown(kv, taskId, others)];
}

/** Returns the hosts with the same change at a position; null if there are none. */
async function findChange(
  kv: Store,
  taskId: number,
  { task, diff }: ChangeKey,
): Promise<StoredChange | null> {
  const key = rowKeys.taskResultRow(taskId, "changes", task, diff);
  const { value } = await kv.get<ChangeRow>(key);
  return value && { ...value, task, diff };
}

async function listKnown(kv: Store, taskId: number, { after, limit }: ChangePage) {
  const prefix = rowKeys.taskResultRow(taskId, "changes");
  const start = after && rowKeys.taskResultRow(taskId, "changes", after.task, after.diff + 1);
  const entries = kv.list<ChangeRow>(start ? { prefix, start } : { prefix }, {
    batchSize: Math.min(limit, 100),
  });
  const found: StoredChange[] = [];
  for await (const { key, value } of entries) {
    const [task, diff] = key.slice(-2) as number[];
    if (diff > 0) found.push({ ...value, task, diff });
    if (found.length === limit) break;
  }
  return found;
}

/**
 * Returns unknown changes. An Ansible task has at most one such row, so the rows of known changes
 * need not be read.
 */
async function listUnknown(
  kv: Store,
  taskId: number,
  { after, limit }: { after: number; limit: number },
): Promise<StoredChange[]> {
  const last = limit > 0 ? (await findHead(kv, taskId))?.tasks ?? 0 : 0;
  const found: StoredChange[] = [];
  for (let first = after + 1; first <= last && found.length < limit; first += TASKS_AT_ONCE) {
    const tasks = Array.from(
      { length: Math.min(TASKS_AT_ONCE, last - first + 1) },
      (_, n) => first + n,
    );
    const keys = tasks.map((task) => rowKeys.taskResultRow(taskId, "changes", task, 0));
    const rows = await getAll<ChangeRow>(kv, keys);
    rows.forEach(({ value }, n) => value && found.push({ ...value, task: tasks[n], diff: 0 }));
  }
  return found.slice(0, limit);
}

interface RunModes {
  /** Whether it only reports its changes without making them. */
  check: boolean;
  /** Whether it shows its changes. */
  diff: boolean;
}

/**
 * Returns the modes that a task's own settings choose. The `ansible.cfg` of a repository may choose
 * others.
 */
export function runModes(task: TaskRow): RunModes {
  const words = [task.template_arguments, task.arguments]
    .flatMap((text) => text ? parseStrings(text) ?? [] : []);
  const says = (option: RegExp) => words.some((word) => option.test(word));
  // Letters that take no value may come before it, as in "-vC".
  return {
    check: task.dry_run || says(/^--check$|^-[bDkKv]*C/),
    diff: task.diff || says(/^--diff$|^-[bCkKv]*D/),
  };
}
