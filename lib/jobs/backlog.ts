import { rowKeys } from "../store/keys.ts";
import { type DueJob, JOB_LEASE_MS } from "./attempt.ts";
import type { JobId } from "./kind.ts";
import type { DueEntry } from "./rows.ts";
import type { AnyWorker, JobDeps } from "./worker.ts";

/** Entries of one project and group that are held, so that those of others are seen behind them. */
const HELD_MAX = 200;
/** Entries that one look reads. */
const READ_MAX = 10_000;
/**
 * Where the order matters, the jobs that servers work on are read, too. They are so far ahead, and
 * further if they were claimed since the reading began, or if clocks differ.
 */
const CLAIMED_MS = 2 * JOB_LEASE_MS;
/** A list is used for this many times as long as reading it took. */
const FRESH = 4;

/** The due jobs of one kind that have no slot yet. */
interface Backlog {
  /** Gives the free slots to the projects that have the fewest, and that were served least. */
  choose(): Promise<DueJob[]>;
  /** Whether due jobs were left without a slot, so that the end of another one may make it. */
  hasMore(): boolean;
  /** Milliseconds until more jobs are due, or are seen that were put since the list was read. */
  untilNext(): number;
}

export function createBacklog<Deps extends JobDeps>(
  deps: Deps,
  worker: AnyWorker<Deps>,
  running: ReadonlyMap<JobId, DueJob>,
): Backlog {
  const { parallel, perProject = Math.max(1, parallel - 1), inOrder = false } = worker;
  const perGroup = inOrder ? 1 : worker.perGroup ?? parallel;
  /** Order in which projects were served last, so that they take turns. */
  const served = new Map<number | null, number>();
  let count = 0;

  let waiting: DueJob[] = [];
  let nextAt = Infinity;
  let isAnyHeld = false;
  let freshUntil = -Infinity;
  let isReused = false;

  /** Returns the jobs that are due. A long list is not read for each of them. */
  async function readWaiting(): Promise<DueJob[]> {
    const begunAt = performance.now();
    isReused = !inOrder && waiting.length > 0 && begunAt < freshUntil;
    if (isReused) return waiting;
    const read = await readDue(deps, worker);
    nextAt = read.nextAt;
    waiting = read.due.filter(({ id }) => !running.has(id));
    isAnyHeld = read.isAnyHeld || waiting.length < read.due.length;
    const endedAt = performance.now();
    freshUntil = endedAt + FRESH * (endedAt - begunAt);
    return waiting;
  }

  /** Whether the project and the group of a job have a slot, beside those that run. */
  function hasSlot({ project, group }: DueJob, chosen: DueJob[]): boolean {
    const all = [...running.values(), ...chosen];
    const ofProject = all.filter((one) => one.project === project).length;
    const ofGroup = all.filter((one) => one.group === group).length;
    return (project === null || ofProject < perProject) &&
      (group === undefined || ofGroup < perGroup);
  }

  async function choose(): Promise<DueJob[]> {
    const waiting = await readWaiting();
    const chosen: DueJob[] = [];
    const rank = ({ project }: DueJob): [number, number] => [
      [...running.values(), ...chosen].filter((one) => one.project === project).length,
      served.get(project) ?? 0,
    ];
    while (running.size + chosen.length < parallel) {
      const next = firstBy(waiting.filter((one) => hasSlot(one, chosen)), rank);
      if (!next) break;
      chosen.push(next);
      waiting.splice(waiting.indexOf(next), 1);
      if (served.size > 1_000) served.clear();
      served.set(next.project, ++count);
    }
    return chosen;
  }

  return {
    choose,
    hasMore: () => isAnyHeld || waiting.length > 0,
    untilNext() {
      const unseenMs = isReused ? Math.max(0, freshUntil - performance.now()) : Infinity;
      return Math.min(unseenMs, nextAt - deps.clock.now().getTime());
    },
  };
}

interface Due {
  /** The jobs that are due, the oldest first; in order, only those of groups at rest. */
  due: DueJob[];
  /** Whether others are due. */
  isAnyHeld: boolean;
  /** Time in milliseconds at which the next job is due. */
  nextAt: number;
}

async function readDue<Deps extends JobDeps>(
  { kv, clock }: Deps,
  { kind, inOrder = false }: AnyWorker<Deps>,
): Promise<Due> {
  const now = clock.now().getTime();
  const prefix = rowKeys.jobsDueOf(kind.name);
  const readUntil = now + (inOrder ? CLAIMED_MS : 0);
  const taken = new Set<string | undefined>();
  const held = new Map<string, number>();
  const due: DueJob[] = [];
  let nextAt = Infinity;
  let isAnyHeld = false;
  const entries = kv.list<DueEntry>({ prefix }, { limit: READ_MAX, batchSize: 100 });
  for await (const { key, value: { project_id: project, group, server } } of entries) {
    const at = Date.parse(key[2] as string);
    if (at > now) {
      nextAt = Math.min(nextAt, at);
      if (at > readUntil) break;
      if (server !== undefined) taken.add(group);
      continue;
    }
    const slot = `${project} ${group}`;
    const count = held.get(slot) ?? 0;
    if (count >= HELD_MAX) {
      isAnyHeld = true;
      continue;
    }
    held.set(slot, count + 1);
    const candidate = { id: key[3] as JobId, key, project, group };
    // A job whose server has died comes before those that have waited behind it.
    if (server === undefined) due.push(candidate);
    else due.unshift(candidate);
  }
  const atRest = inOrder ? due.filter(({ group }) => !taken.has(group)) : due;
  return { due: atRest, isAnyHeld: isAnyHeld || atRest.length < due.length, nextAt };
}

/** Returns the first of those with the lowest rank. */
function firstBy<T>(all: T[], rank: (one: T) => [number, number]): T | undefined {
  let first: { one: T; rank: [number, number] } | undefined;
  for (const one of all) {
    const [a, b] = rank(one);
    if (!first || a < first.rank[0] || a === first.rank[0] && b < first.rank[1]) {
      first = { one, rank: [a, b] };
    }
  }
  return first?.one;
}
