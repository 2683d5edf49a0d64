import { getAll } from "../kv/get_all.ts";
import { rowKeys } from "../kv/keys.ts";
import { findHead } from "./result_store.ts";
import type { ChangeRow } from "./rows.ts";

/** Number of Ansible tasks that are searched in parallel for unknown changes. */
const TASKS_AT_ONCE = 100;

interface ChangePlace {
  task: number;
  /** Number of the difference; 0 for an unknown one. */
  diff: number;
}

interface ChangePage {
  after: ChangePlace | null;
  limit: number;
}

export type StoredChange = ChangeRow & ChangePlace;

/**
 * Returns groups of hosts with the same change, at most `limit` after `after`. They are ordered by
 * Ansible task, with unknown changes last.
 */
export async function listChanges(
  kv: Deno.Kv,
  taskId: number,
  { after, limit }: ChangePage,
): Promise<StoredChange[]> {
  const isLast = after?.diff === 0;
  const known = isLast ? [] : await listKnown(kv, taskId, { after, limit });
  const others = { after: isLast ? after.task : 0, limit: limit - known.length };
  return [...known, ...await listUnknown(kv, taskId, others)];
}

/** Returns the hosts with the same change at a position; null if there are none. */
export async function findChange(
  kv: Deno.Kv,
  taskId: number,
  { task, diff }: ChangePlace,
): Promise<StoredChange | null> {
  const key = rowKeys.taskResultRow(taskId, "changes", task, diff);
  const { value } = await kv.get<ChangeRow>(key);
  return value && { ...value, task, diff };
}

async function listKnown(kv: Deno.Kv, taskId: number, { after, limit }: ChangePage) {
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
  kv: Deno.Kv,
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
