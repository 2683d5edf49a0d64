import { countJobs } from "../../jobs/overview.ts";
import type { OnAttempt } from "../../jobs/lane.ts";
import { JOBS_COUNTED_MAX } from "../jobs/schema.ts";
import type { WorkDeps } from "../jobs/service.ts";
import type { Metrics } from "./metrics.ts";

/** Returns what counts the attempts at jobs. */
export function countAttempts(
  { jobAttempts }: Metrics,
  workers: WorkDeps["workers"],
): OnAttempt {
  // A counter that begins with its first event would hide this event from `increase()`.
  for (const { kind } of workers) {
    for (const result of ["done", "failed", "set_aside"]) {
      jobAttempts.inc({ kind: kind.name, result }, 0);
    }
  }
  return (kind, result) => jobAttempts.inc({ kind, result });
}

/** Sets the gauges of background work. A number of 1,000 stands for more, too. */
export async function measureJobs(deps: WorkDeps, { jobs }: Metrics): Promise<void> {
  for (const { kind, ...counts } of await countJobs(deps, deps.workers, JOBS_COUNTED_MAX)) {
    for (const state of ["waiting", "running", "late", "set_aside"] as const) {
      jobs[state].set({ kind }, counts[state]);
    }
  }
}
