import { AppError } from "../../base/errors.ts";
import type { PollAnswer, PollRequest } from "../protocol.ts";
import { beginRun, type LocalRun, type RunsContext } from "./run.ts";

/** Clocks that differ less agree as well as it can be measured. */
const CLOCK_MS = 500;

interface RunsOptions {
  context: RunsContext;
  maxParallel: number;
  /** Called after the end of each run. */
  onEnd(): void;
}

/** The runs of a process until their ends are stored on the server. */
export interface LocalRuns {
  readonly size: number;
  /** Number of runs that were taken since the start. */
  readonly taken: number;
  /** Number of further runs that there is room for. */
  readonly free: number;
  list(): PollRequest["runs"];
  /** Begins and ends runs as the server wants. Returns whether that has changed anything. */
  take(answer: PollAnswer): boolean;
  /** Ends all runs whatever the server wants, and reports none of them. */
  kill(): void;
  /** Ends all runs as errors, and those that are still offered. */
  interrupt(): void;
  /** Drops what was not reported yet. */
  abandon(): void;
  /** Resolves when all runs have ended. */
  done(): Promise<unknown>;
}

export function createLocalRuns({ context, maxParallel, onEnd }: RunsOptions): LocalRuns {
  const runs = new Map<string, LocalRun>();
  const each = (act: (run: LocalRun) => void) => runs.values().forEach(act);
  const shutdown = new AppError(409, "errors.run.shutdown");
  let taken = 0;
  let isInterrupted = false;

  function begin(offered: NonNullable<PollAnswer["run"]>, now: number) {
    taken++;
    const offMs = now - Date.now();
    const earlier = [...runs.values()].filter(({ taskId }) => taskId === offered.task_id);
    const run = beginRun(context, offered, {
      clockMs: Math.abs(offMs) < CLOCK_MS ? 0 : offMs,
      after: Promise.all(earlier.map(({ done }) => done)),
    });
    runs.set(run.run, run);
    // The server may have claimed it just before.
    if (isInterrupted) run.interrupt(shutdown);
    const forget = () => {
      runs.delete(run.run);
      onEnd();
    };
    run.done.then(forget, forget);
  }

  return {
    get size() {
      return runs.size;
    },
    get taken() {
      return taken;
    },
    get free() {
      return Math.max(0, maxParallel - runs.size);
    },
    list: () => [...runs.values()].map(({ taskId, run, stop }) => ({ task_id: taskId, run, stop })),
    take({ now, run: offered, stops }) {
      for (const { run, stop } of stops) runs.get(run)?.end(stop);
      const isNew = offered !== null && !runs.has(offered.run);
      if (isNew) begin(offered, now);
      return isNew || stops.length > 0;
    },
    kill: () => each((run) => run.end("gone")),
    interrupt() {
      isInterrupted = true;
      each((run) => run.interrupt(shutdown));
    },
    abandon: () => each((run) => run.abandon()),
    done: () => Promise.all([...runs.values()].map(({ done }) => done)),
  };
}
