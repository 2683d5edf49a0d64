import * as z from "zod";
import type { Deps, EndFollower } from "../../access/deps.ts";
import { jobKind } from "../../jobs/kind.ts";
import { putJob } from "../../jobs/put.ts";
import type { Atomic } from "../../store/store.ts";
import type { TaskRow } from "../../model/task_row.ts";

/** A run of a workflow that may go on. */
export interface RunDue {
  project_id: number;
  run_id: number;
}

export const runJobs = jobKind<RunDue>({
  name: "workflows",
  schema: z.object({ project_id: z.int(), run_id: z.int() }),
  uniqueBy: ({ run_id }) => run_id,
});

/** Adds to `op` that a run may go on. */
export function queueRun(op: Atomic, deps: Pick<Deps, "clock">, run: RunDue): void {
  putJob(op, deps, runJobs, run);
}

/** Adds to `op` that the run of an ended task may go on, if a workflow has started the task. */
export function queueWorkflow(
  op: Atomic,
  deps: Pick<Deps, "clock">,
  { project_id, workflow }: TaskRow,
): void {
  if (workflow) queueRun(op, deps, { project_id, run_id: workflow.run_id });
}

export const runFollower: EndFollower = {
  name: runJobs.name,
  add: (op, deps, { task }) => queueWorkflow(op, deps, task),
};
