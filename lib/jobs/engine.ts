import { watchClock } from "../base/time/clock.ts";
import { describeError } from "../base/log.ts";
import { rowKeys } from "../store/keys.ts";
import { type Loop, startLoop } from "../store/loop.ts";
import { transact } from "../store/transact.ts";
import { onChange } from "../store/watch.ts";
import { createLane, type Lane, type OnAttempt, STORE_PAUSE_MS } from "./lane.ts";
import { deleteJob, jobId, putJob } from "./put.ts";
import { repairIndex } from "./repair.ts";
import type { JobRow } from "./rows.ts";
import type { AnyWorker, JobDeps } from "./worker.ts";

interface JobsOptions {
  /** Whether other servers use the same store. */
  shared: boolean;
  onAttempt?: OnAttempt;
}

/** Rows that one watch follows. */
const WATCHED_MAX = 10;

/** A look at the jobs of a kind takes milliseconds. Attempts have limits of their own. */
const LOOK_MS_MAX = 60_000;

/** Does the work that is stored for later, on this server or another one that shares the store. */
export function startJobs<Deps extends JobDeps>(
  all: Deps,
  workers: readonly AnyWorker<Deps>[],
  { shared, onAttempt = () => {} }: JobsOptions,
): Loop {
  const clock = watchClock(all.clock);
  const deps = { ...all, clock };
  const server = crypto.randomUUID();
  const stopping = new AbortController();
  const lanes = workers.map((worker) =>
    createLane({ deps, worker, server, stop: stopping.signal, onAttempt })
  );
  /** Times on the clock of `performance` at which there may be something to do. */
  const lookAt = new Map<Lane, number>(lanes.map((lane) => [lane, 0]));
  let isFirst = true;

  const loop = startLoop(deps, {
    name: "jobs",
    stepMsMax: LOOK_MS_MAX,
    async step() {
      if (clock.isSetBack() || isFirst) {
        await repairIndex(deps, { releaseAll: isFirst && !shared });
        if (isFirst) await putPeriodic(deps, workers);
        isFirst = false;
        for (const lane of lanes) lookAt.set(lane, 0);
      }
      const now = performance.now();
      await Promise.all(lanes.filter((lane) => lookAt.get(lane)! <= now).map(look));
      return Math.min(...lookAt.values()) - performance.now();
    },
  });

  /** A kind that fails must not hold up others. */
  async function look(lane: Lane): Promise<void> {
    lookAt.set(lane, Infinity); // a change meanwhile sets it back
    const waitMs = await lane.look(() => lookAgain(lane)).catch((error) => {
      deps.log("error", "jobs_failed", { kind: lane.kind, ...describeError(error) });
      return STORE_PAUSE_MS;
    });
    lookAt.set(lane, Math.min(lookAt.get(lane)!, performance.now() + Math.min(waitMs, SLEEP_MS)));
  }

  function lookAgain(lane: Lane): void {
    lookAt.set(lane, 0);
    loop.wake();
  }

  const watches = watchLanes(deps, lanes, lookAgain);

  return {
    name: loop.name,
    wake() {
      lanes.forEach(lookAgain);
    },
    async stop() {
      stopping.abort(new Error("The server stops"));
      await Promise.all([loop.stop(), ...watches.map((watch) => watch.cancel())]);
      await Promise.all(lanes.map((lane) => lane.settled()));
    },
  };
}

/** Calls `lookAgain` when a row of a lane changes. */
function watchLanes(deps: JobDeps, lanes: Lane[], lookAgain: (lane: Lane) => void) {
  const rows = lanes.flatMap((lane) => lane.wokenBy.map((key) => ({ lane, key })));
  return inChunks(rows, WATCHED_MAX).map((some) => {
    const seen = new Map<number, string | null>();
    return onChange(deps, some.map(({ key }) => key), (entries) => {
      for (const [n, { lane }] of some.entries()) {
        const { versionstamp } = entries[n];
        if (seen.get(n) === versionstamp) continue;
        seen.set(n, versionstamp);
        lookAgain(lane);
      }
    });
  });
}

/** Makes work due that is always repeated, unless a server does it at the moment. */
async function putPeriodic<Deps extends JobDeps>(
  deps: Deps,
  workers: readonly AnyWorker<Deps>[],
): Promise<void> {
  for (const { kind, everyMs } of workers) {
    if (everyMs === undefined) continue;
    await transact(deps.kv, async (op) => {
      const id = jobId(kind, {});
      const entry = await deps.kv.get<JobRow>(rowKeys.job(kind.name, id));
      op.check(entry);
      if (entry.value?.claim) return;
      if (entry.value) deleteJob(op, kind.name, id, entry.value);
      putJob(op, deps, kind, {});
    });
  }
}

/** Longest time without a look, because a timer does not notice a changed clock. */
const SLEEP_MS = 60_000;

const inChunks = <T>(all: readonly T[], size: number): T[][] =>
  Array.from(
    { length: Math.ceil(all.length / size) },
    (_, n) => all.slice(n * size, (n + 1) * size),
  );

/**
 * Does all work of one kind that is due, and what that makes due, as the only server that does so
 * unless `shared` is set.
 */
export async function doDue<Deps extends JobDeps>(
  deps: Deps,
  worker: AnyWorker<Deps>,
  { shared = false, stop = new AbortController().signal, onAttempt = () => {} }: {
    shared?: boolean;
    stop?: AbortSignal;
    onAttempt?: OnAttempt;
  } = {},
): Promise<void> {
  if (!shared) await repairIndex(deps, { releaseAll: true, kind: worker.kind.name });
  await putPeriodic(deps, [worker]);
  const server = crypto.randomUUID();
  const lane = createLane({ deps, worker, server, stop, onAttempt });
  do {
    await lane.look(() => {});
    if (lane.running === 0) return;
    await lane.settled();
  } while (!stop.aborted);
}
