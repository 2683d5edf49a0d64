import type { Sentence } from "../base/errors.ts";
import { firstKeys } from "../store/first_of_each.ts";
import { rowKeys } from "../store/keys.ts";
import type { DueEntry } from "./rows.ts";
import type { AnyWorker, JobDeps } from "./worker.ts";

/** Time after which a job that is due and does not run is late. */
const LATE_MS = 60_000;

/** The jobs of one kind. Those that are late are a part of those that wait. */
export interface JobCounts {
  kind: string;
  waiting: number;
  running: number;
  late: number;
  set_aside: number;
}

/** Counts the jobs of all workers, each number up to `max`. */
export async function countJobs<Deps extends JobDeps>(
  deps: Deps,
  workers: readonly AnyWorker<Deps>[],
  max: number,
): Promise<JobCounts[]> {
  const held = await heldKinds(deps, workers);
  const kinds = workers.map(({ kind }) => kind.name).toSorted();
  return await Promise.all(kinds.map((kind) => countKind(deps, kind, held.has(kind), max)));
}

async function countKind(
  { kv, clock }: JobDeps,
  kind: string,
  isHeld: boolean,
  max: number,
): Promise<JobCounts> {
  const now = clock.now().getTime();
  const prefix = rowKeys.jobsDueOf(kind);
  const list = async <Row>(selector: Deno.KvListSelector) =>
    await Array.fromAsync(kv.list<Row>(selector, { limit: max, batchSize: 500 }));
  const [past, ahead, setAside] = await Promise.all([
    list({ prefix, end: rowKeys.jobsDueUntil(kind, now) }),
    // The first of them are those that run, because their leases are short.
    list<DueEntry>({ prefix, start: rowKeys.jobsDueUntil(kind, now) }),
    list({ prefix: rowKeys.jobsSetAsideOf(kind) }),
  ]);
  const running = ahead.filter(({ value }) => value.server !== undefined).length;
  return {
    kind,
    waiting: Math.min(past.length + ahead.length - running, max),
    running,
    late: isHeld ? 0 : past.filter(({ key }) => isLate(key, now)).length,
    set_aside: setAside.length,
  };
}

/** Kinds of jobs that need someone, found with few reads. */
interface JobTrouble {
  late: string[];
  set_aside: string[];
}

/** Finds the kinds with jobs that are late or set aside. */
export async function findJobTrouble<Deps extends JobDeps>(
  deps: Deps,
  workers: readonly AnyWorker<Deps>[],
): Promise<JobTrouble> {
  const { late, set_aside } = await readJobTrouble(
    (prefix) => firstKeys(deps.kv, prefix),
    deps.clock.now(),
  );
  const held = late.length > 0 ? await heldKinds(deps, workers) : new Set();
  return { late: late.filter((kind) => !held.has(kind)), set_aside };
}

/** Finds them in the first keys of each kind, whatever the state of the server is. */
export async function readJobTrouble(
  read: (prefix: Deno.KvKey) => Promise<Deno.KvKey[]>,
  now: Date,
): Promise<JobTrouble> {
  const kindsOf = (keys: Deno.KvKey[]) => keys.map(([_rows, kind]) => kind as string);
  const due = await read(rowKeys.jobsDue());
  return {
    late: kindsOf(due.filter((key) => isLate(key, now.getTime()))),
    set_aside: kindsOf(await read(rowKeys.jobsSetAside())),
  };
}

/** Returns the names of kinds for a sentence. */
export const kindNames = (kinds: readonly string[]): Sentence[] =>
  kinds.map((kind) => ({ key: `jobs.kind.${kind}` }));

/** Whether an entry of the index is that of a late job. One that runs has a lease that is ahead. */
const isLate = ([_rows, _kind, at]: Deno.KvKey, now: number): boolean =>
  Date.parse(at as string) < now - LATE_MS;

/** Returns the kinds whose jobs wait at the moment, as during maintenance, so that none is late. */
async function heldKinds<Deps extends JobDeps>(
  deps: Deps,
  workers: readonly AnyWorker<Deps>[],
): Promise<Set<string>> {
  const held = new Set<string>();
  for (const worker of workers) {
    if ((await worker.hold?.(deps).waitMs() ?? 0) > 0) held.add(worker.kind.name);
  }
  return held;
}
