import { after } from "../base/time/after.ts";
import { linkedAbort, unlessAborted } from "../base/time/abort.ts";
import { AppError } from "../base/errors.ts";
import { describeError } from "../base/log.ts";
import { rowKeys } from "../store/keys.ts";
import type { LoopHold } from "../store/loop.ts";
import {
  claimJob,
  type DueJob,
  endAttempt,
  JOB_LEASE_MS,
  type JobAttempt,
  releaseAttempt,
  renew,
} from "./attempt.ts";
import type { JobId } from "./kind.ts";
import { createBacklog } from "./backlog.ts";
import { failAttempt } from "./failure.ts";
import type { AnyWorker, JobDeps } from "./worker.ts";

/** Called after each attempt. */
export type OnAttempt = (kind: string, result: "done" | "failed" | "set_aside") => void;

interface LaneOptions<Deps extends JobDeps> {
  deps: Deps;
  worker: AnyWorker<Deps>;
  /** Name of this server, which no other one has. */
  server: string;
  /** Aborts when the server stops. */
  stop: AbortSignal;
  onAttempt: OnAttempt;
}

/** The jobs of one kind on this server. */
export interface Lane {
  readonly kind: string;
  /** Rows that change when there may be something to do. */
  readonly wokenBy: Deno.KvKey[];
  /** Begins what is due and has a slot. Resolves to the milliseconds until more may be due. */
  look(onEnd: () => void): Promise<number>;
  /** Resolves when all attempts under way have ended. */
  settled(): Promise<void>;
  readonly running: number;
}

export function createLane<Deps extends JobDeps>(options: LaneOptions<Deps>): Lane {
  const { deps, worker } = options;
  const { kind, parallel } = worker;
  const hold: LoopHold | undefined = worker.hold?.(deps);
  const running = new Map<JobId, DueJob>();
  const open = new Set<Promise<void>>();
  /** Time on the clock of `performance` before which the store is left alone. */
  let pausedUntil = 0;
  const backlog = createBacklog(deps, worker, running);

  return {
    kind: kind.name,
    wokenBy: [rowKeys.jobsWake(kind.name), ...hold ? [hold.row] : []],
    get running() {
      return running.size;
    },
    async look(onEnd) {
      if (running.size >= parallel) return Infinity; // the end of an attempt wakes
      const heldMs = Math.max(pausedUntil - performance.now(), await hold?.waitMs() ?? 0);
      if (heldMs > 0) return heldMs;
      for (const candidate of await backlog.choose()) {
        running.set(candidate.id, candidate);
        const work = attempt(options, candidate)
          .catch((error) => {
            pausedUntil = performance.now() + STORE_PAUSE_MS;
            const about = { kind: kind.name, job: candidate.id };
            deps.log("error", "job_not_stored", { ...about, ...describeError(error) });
            return false;
          })
          .then((isDone) => {
            const mayMakeSlot = running.size >= parallel || backlog.hasMore();
            running.delete(candidate.id);
            open.delete(work);
            // The row of a job that goes on wakes, but not that of one that another server has.
            if (!isDone || mayMakeSlot) onEnd();
          });
        open.add(work);
      }
      return running.size < parallel ? backlog.untilNext() : Infinity;
    },
    settled: async () => {
      while (open.size > 0) await Promise.all(open);
    },
  };
}

/** Pause after a commit that the store did not take, as if its disk is full. */
export const STORE_PAUSE_MS = 5_000;

/** Resolves to whether an attempt was made, and its end is stored. */
async function attempt<Deps extends JobDeps>(
  options: LaneOptions<Deps>,
  candidate: DueJob,
): Promise<boolean> {
  const claimed = await claimJob(options, candidate);
  if (claimed) await makeAttempt(options, claimed);
  return claimed !== null;
}

/** Makes an attempt, and stores how it has ended. Resolves to why it has failed, or to null. */
export async function makeAttempt<Deps extends JobDeps>(
  options: LaneOptions<Deps>,
  claimed: JobAttempt,
): Promise<{ error: unknown } | null> {
  const { deps, worker, stop, onAttempt } = options;
  const about = { kind: worker.kind.name, job: claimed.job.id, attempt: claimed.job.attempt };
  const ending = linkedAbort(stop);
  const seconds = worker.limitMs / 1000;
  const late = new AppError(503, "errors.jobs.time_limit", { seconds });
  const cancelLimit = after(worker.limitMs, () => ending.abort(late));
  const cancelLease = keepLease(options, claimed);
  try {
    if (claimed.job.attempt > worker.attempts) throw new AppError(503, "errors.jobs.interrupted");
    const work = worker.run(deps, { ...claimed.job, signal: ending.signal });
    // Work that ignores its limit goes on, but can store nothing of the job any more.
    work.catch(() => {});
    await unlessAborted(work, ending.signal);
    await endAttempt(options, claimed);
    onAttempt(about.kind, "done");
    return null;
  } catch (error) {
    if (stop.aborted) {
      await releaseAttempt(options, claimed);
      return { error };
    }
    const result = await failAttempt(options, claimed, error);
    if (result !== "lost") {
      // A failure that has a sentence is no bug, and its stack says nothing.
      if (error instanceof AppError) deps.log("warn", "job_failed", { ...about, why: error.key });
      else deps.log("error", "job_failed", { ...about, ...describeError(error) });
      onAttempt(about.kind, result);
    }
    return { error };
  } finally {
    cancelLimit();
    cancelLease();
    ending.release();
  }
}

/** Renews the lease of an attempt until the result is called, or the attempt is another's. */
function keepLease<Deps extends JobDeps>(
  options: LaneOptions<Deps>,
  claimed: JobAttempt,
): () => void {
  let isOver = false;
  let cancel = () => {};
  const wait = () => {
    if (isOver) return;
    cancel = after(JOB_LEASE_MS / 3, () => {
      renew(options, claimed).then((isOwn) => isOwn && wait(), wait);
    });
  };
  wait();
  return () => {
    isOver = true;
    cancel();
  };
}
