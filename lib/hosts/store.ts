import { notFound } from "../base/errors.ts";
import { addCounted, removeCounted } from "../kv/counted.ts";
import { deleteFound, deletePrefix } from "../kv/delete_prefix.ts";
import { getAll } from "../kv/get_all.ts";
import { rowKeys } from "../kv/keys.ts";
import { transact } from "../kv/transact.ts";
import { forgetFacts } from "./facts/store.ts";
import { newestRuns } from "./reads.ts";
import {
  HOST_ORDERS,
  type HostOrder,
  type HostRunRow,
  markOf,
  MARKS_MAX,
  type ProjectHostRow,
  rankOf,
  withMark,
} from "./rows.ts";

/** A run's hosts in one commit, with at most eight rows each: a commit takes 1,000 rows. */
export const HOSTS_PER_COMMIT = 50;
/** Runs of a host that are looked at for the last good one, once that has gone. */
const LOOKED_AT = 100;

/** A host, and what a run did there. */
export interface HostRun {
  name: string;
  run: HostRunRow;
}

/** Where a host stands in an order of a project's hosts. */
const hostPlace = (projectId: number, row: ProjectHostRow, order: HostOrder): Deno.KvKey => [
  ...rowKeys.hostsBy(projectId, order),
  rankOf(row, order),
  row.name,
];

/**
 * Adds to `op` what a run did on some hosts, `HOSTS_PER_COMMIT` at most; `n` is the first one's number
 * in the run.
 */
export async function rememberRuns(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  { projectId, taskId, n }: { projectId: number; taskId: number; n: number },
  runs: HostRun[],
): Promise<void> {
  const before = await holdHosts(kv, op, projectId, runs.map(({ name }) => name));
  runs.forEach(({ name, run }, at) => {
    const known = before[at];
    putHost(
      op,
      projectId,
      known,
      withMark(known ?? { name, marks: [], last_good: null }, markOf(run)),
    );
    op.set(rowKeys.hostRun(projectId, name, taskId), run);
  });
  op.set([...rowKeys.runHosts(projectId, taskId), n], runs.map(({ name }) => name));
}

/**
 * Forgets what tasks did on their hosts, and the hosts that no other run has reached; also what was
 * still to be remembered.
 */
export async function forgetRuns(
  kv: Deno.Kv,
  projectId: number,
  taskIds: number[],
): Promise<void> {
  // A run is remembered on the condition that this row stands.
  await deleteFound(kv, [], taskIds.map(rowKeys.hostsDueOf));
  for (const taskId of taskIds) await forgetRun(kv, projectId, taskId);
}

async function forgetRun(kv: Deno.Kv, projectId: number, taskId: number): Promise<void> {
  for await (const { key } of kv.list({ prefix: rowKeys.runHosts(projectId, taskId) })) {
    await transact(kv, async (op) => {
      const names = (await kv.get<string[]>(key)).value ?? [];
      const rows = await holdHosts(kv, op, projectId, names);
      const changed = await Promise.all(
        rows.map((row) => row && withoutRun(kv, projectId, row, taskId)),
      );
      rows.forEach((row, n) => row && putHost(op, projectId, row, changed[n]));
      for (const name of names) op.delete(rowKeys.hostRun(projectId, name, taskId));
      op.delete(key);
    });
  }
}

/** Forgets a host with all its runs; `also` adds to the commit. Throws not found. */
export const forgetHost = (
  kv: Deno.Kv,
  projectId: number,
  name: string,
  also: (op: Deno.AtomicOperation) => void,
): Promise<void> =>
  transact(kv, async (op) => {
    const [row] = await holdHosts(kv, op, projectId, [name]);
    if (!row) throw notFound();
    await deletePrefix(kv, rowKeys.hostRuns(projectId, name));
    putHost(op, projectId, row, null);
    also(op);
  });

/** The hosts of these names; by the commit of `op` nobody has changed hosts of the project. */
async function holdHosts(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  projectId: number,
  names: string[],
): Promise<(ProjectHostRow | null)[]> {
  // One row for all of them: a commit checks ten at most.
  const guard = await kv.get(rowKeys.hostsGuard(projectId));
  op.check(guard).set(guard.key, crypto.randomUUID());
  const keys = names.map((name) => rowKeys.projectHost(projectId, name));
  return (await getAll<ProjectHostRow>(kv, keys)).map(({ value }) => value);
}

/** The host as it is without a run; null where there is no other. */
async function withoutRun(
  kv: Deno.Kv,
  projectId: number,
  row: ProjectHostRow,
  taskId: number,
): Promise<ProjectHostRow | null> {
  const isMarked = row.marks.some(({ task }) => task === taskId);
  const wasGood = row.last_good?.task === taskId;
  if (!isMarked && !wasGood) return row;
  const limit = (wasGood ? LOOKED_AT : MARKS_MAX) + 1;
  const runs = (await newestRuns(kv, projectId, row.name, { limit }))
    .filter(({ task }) => task !== taskId).map(markOf);
  if (runs.length === 0) return null;
  const lastGood = wasGood ? runs.find(({ good }) => good) ?? null : row.last_good;
  return { ...row, marks: runs.slice(0, MARKS_MAX), last_good: lastGood };
}

/** Adds to `op` that a host is what it has become, in all its places. */
function putHost(
  op: Deno.AtomicOperation,
  projectId: number,
  before: ProjectHostRow | null,
  after: ProjectHostRow | null,
): void {
  for (const order of HOST_ORDERS) {
    const [from, to] = [before, after].map((row) => row && hostPlace(projectId, row, order));
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
