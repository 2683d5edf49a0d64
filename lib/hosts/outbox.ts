import * as z from "zod";
import type { EndFollower } from "../access/deps.ts";
import { jobKind } from "../jobs/kind.ts";
import { putJob } from "../jobs/put.ts";
import type { Atomic } from "../store/store.ts";
import type { TaskRow } from "../model/task_row.ts";

/** A finished task whose hosts are still to be stored. */
export interface HostsDue {
  project_id: number;
  task_id: number;
  /** The task's hosts up to this number are stored. */
  after: number;
}

export const hostsJobs = jobKind<HostsDue>({
  name: "hosts",
  schema: z.object({ project_id: z.int(), task_id: z.int(), after: z.int() }),
  uniqueBy: ({ task_id }) => task_id,
  groupBy: ({ project_id }) => String(project_id),
});

/**
 * Adds a finished task to the queue in `op`. Its hosts are stored later, a few per commit, even if
 * the server dies in between.
 */
export function queueHosts(
  op: Atomic,
  deps: { clock: { now(): Date } },
  { id: task_id, project_id }: Pick<TaskRow, "id" | "project_id">,
): void {
  putJob(op, deps, hostsJobs, { project_id, task_id, after: 0 });
}

export const hostsFollower: EndFollower = {
  name: hostsJobs.name,
  add(op, deps, { task, isRun }) {
    if (isRun) queueHosts(op, deps, task);
  },
};
