import { notFound } from "../base/errors.ts";
import { addCounted, removeCounted } from "../store/counted.ts";
import { deleteFound, deletePrefix } from "../store/delete_prefix.ts";
import { getAll } from "../store/rows/get_all.ts";
import { rowKeys } from "../store/keys.ts";
import { transact } from "../store/transact.ts";
import type { Atomic, Store } from "../store/store.ts";
import { FULL } from "../store/rows/write_all.ts";
import { forgetFacts } from "./facts_store.ts";
import { hostsJobs } from "./outbox.ts";
import {
  hasAddress,
  HOST_ORDERS,
  type HostOrder,
  hostRank,
  type HostRunRow,
  type ProjectHostRow,
  SUMMARIES_MAX,
  summaryOf,
  withSummary,
} from "./rows.ts";

/** Number of hosts that are read for a commit. It stores as many of them as it has room for. */
export const HOSTS_PER_COMMIT = 50;
/** Number of a host's tasks among which a new last successful one is searched after a deletion. */
const LOOKED_AT = 100;

/** A host with the results of one task. */
export interface StoredHostRun {
  name: string;
  run: HostRunRow;
}

/** Returns the key of a host in an order of a project's hosts. */
const rankKey = (projectId: number, row: ProjectHostRow, order: HostOrder): Deno.KvKey => [
  ...rowKeys.hostsBy(projectId, order),
  hostRank(row, order),
  row.name,
];

/**
 * Adds the results of a task on some hosts to `op`, at least one and as many as it has room for;
 * `n` is the first one's number in the task. Returns how many it has added.
 */
export async function rememberRuns(
  kv: Store,
  op: Atomic,
  { projectId, taskId, n }: { projectId: number; taskId: number; n: number },
  runs: StoredHostRun[],
): Promise<number> {
  const before = await holdHosts(kv, op, projectId, runs.map(({ name }) => name));
  const names: string[] = [];
  for (const [at, { name, run }] of runs.entries()) {
    if (op.used > FULL) break;
    const known = before[at];
    putHost(
      op,
      projectId,
      known,
      withSummary(known ?? { name, marks: [], last_good: null }, summaryOf(run)),
    );
    op.set(rowKeys.hostRun(projectId, name, taskId), run);
    names.push(name);
  }
  op.set([...rowKeys.runHosts(projectId, taskId), n], names);
  return names.length;
}

/**
 * Deletes the results of tasks on their hosts, hosts that no other task has reached, and hosts that
 * are still to be stored.
 */
export async function forgetRuns(
  kv: Store,
  projectId: number,
  taskIds: number[],
): Promise<void> {
  // Hosts are stored only while this row exists.
  await deleteFound(kv, [], taskIds.map((id) => rowKeys.job(hostsJobs.name, id)));
  let [parts, hosts]: [RunPart[], number] = [[], 0];
  for (const taskId of taskIds) {
    const rows = kv.list<string[]>({ prefix: rowKeys.runHosts(projectId, taskId) });
    for await (const { key, value } of rows) {
      if (parts.length > 0 && hosts + value.length > HOSTS_PER_COMMIT) {
        await forgetParts(kv, projectId, parts);
        [parts, hosts] = [[], 0];
      }
      parts.push({ key, taskId });
      hosts += value.length;
    }
  }
  if (parts.length > 0) await forgetParts(kv, projectId, parts);
}

/** A row with the names of hosts that a task has reached. */
interface RunPart {
  key: Deno.KvKey;
  taskId: number;
}

/** Deletes what the parts name, in as few commits as have room for it. */
async function forgetParts(kv: Store, projectId: number, parts: RunPart[]): Promise<void> {
  while (await forgetSome(kv, projectId, parts) > 0);
}

/** Deletes in one commit some of what the parts name. Returns the number of hosts that are left. */
const forgetSome = (kv: Store, projectId: number, parts: RunPart[]): Promise<number> =>
  transact(kv, async (op) => {
    const found = await getAll<string[]>(kv, parts.map(({ key }) => key));
    const tasks = new Map<string, Set<number>>();
    parts.forEach(({ taskId }, n) => {
      for (const name of found[n].value ?? []) {
        tasks.set(name, (tasks.get(name) ?? new Set()).add(taskId));
      }
    });
    const rows = await holdHosts(kv, op, projectId, [...tasks.keys()]);
    const left = new Set(tasks.keys());
    for (const [n, [name, its]] of [...tasks].entries()) {
      if (op.used > FULL) break;
      left.delete(name);
      for (const task of its) op.delete(rowKeys.hostRun(projectId, name, task));
      const row = rows[n];
      if (row) putHost(op, projectId, row, await withoutRuns(kv, projectId, row, its));
    }
    for (const { key, value } of found) {
      const names = value?.filter((name) => left.has(name)) ?? [];
      if (names.length > 0) op.set(key, names);
      else op.delete(key);
    }
    return left.size;
  });

/** Deletes a host with its history; `also` adds to the commit. Throws 404 if there is none. */
export const deleteHost = (
  kv: Store,
  projectId: number,
  name: string,
  also: (op: Atomic) => void,
): Promise<void> =>
  transact(kv, async (op) => {
    const [row] = await holdHosts(kv, op, projectId, [name]);
    if (!row) throw notFound();
    await deletePrefix(kv, rowKeys.hostRuns(projectId, name));
    putHost(op, projectId, row, null);
    also(op);
  });

/**
 * Returns the hosts with these names. The commit of `op` fails if a host of the project has
 * changed.
 */
async function holdHosts(
  kv: Store,
  op: Atomic,
  projectId: number,
  names: string[],
): Promise<(ProjectHostRow | null)[]> {
  // One guard row stands for all hosts, because a commit can check only ten.
  const guard = await kv.get(rowKeys.hostsGuard(projectId));
  op.check(guard).set(guard.key, crypto.randomUUID());
  const keys = names.map((name) => rowKeys.projectHost(projectId, name));
  return (await getAll<ProjectHostRow>(kv, keys)).map(({ value }) => value);
}

/** Returns the host without these tasks; null if it has no other. */
async function withoutRuns(
  kv: Store,
  projectId: number,
  row: ProjectHostRow,
  tasks: Set<number>,
): Promise<ProjectHostRow | null> {
  const isHighlighted = row.marks.some(({ task }) => tasks.has(task));
  const wasGood = row.last_good !== null && tasks.has(row.last_good.task);
  if (!isHighlighted && !wasGood) return row;
  const limit = (wasGood ? LOOKED_AT : SUMMARIES_MAX) + tasks.size;
  const runs = (await newestRuns(kv, projectId, row.name, { limit }))
    .filter(({ task }) => !tasks.has(task)).map(summaryOf);
  if (runs.length === 0) return null;
  const lastGood = wasGood ? runs.find(({ good }) => good) ?? null : row.last_good;
  return { ...row, marks: runs.slice(0, SUMMARIES_MAX), last_good: lastGood };
}

/** Updates a host row and its index entries in `op`. */
function putHost(
  op: Atomic,
  projectId: number,
  before: ProjectHostRow | null,
  after: ProjectHostRow | null,
): void {
  for (const order of HOST_ORDERS) {
    const [from, to] = [before, after].map((row) => row && rankKey(projectId, row, order));
    if (from?.join("\0") === to?.join("\0")) continue;
    if (from) op.delete(from);
    if (to) op.set(to, true);
  }
  const key = rowKeys.projectHost(projectId, (before ?? after)!.name);
  if (!after) {
    removeCounted(op, key);
    forgetFacts(op, projectId, before!.name);
  } else if (before) op.set(key, after);
  else addCounted(op, key, after);
}

/** Returns a host that tasks have reached; null if there is none with this name. */
export const findHost = async (
  kv: Store,
  projectId: number,
  name: string,
): Promise<ProjectHostRow | null> =>
  hasAddress(name)
    ? (await kv.get<ProjectHostRow>(rowKeys.projectHost(projectId, name))).value
    : null;

/** Returns the tasks of a host, newest first. */
export const newestRuns = (
  kv: Store,
  projectId: number,
  name: string,
  { limit, before }: { limit: number; before?: number },
): Promise<HostRunRow[]> => {
  const prefix = rowKeys.hostRuns(projectId, name);
  const end = before === undefined ? undefined : rowKeys.hostRun(projectId, name, before);
  const runs = kv.list<HostRunRow>(end ? { prefix, end } : { prefix }, { reverse: true, limit });
  return Array.fromAsync(runs, ({ value }) => value);
};
