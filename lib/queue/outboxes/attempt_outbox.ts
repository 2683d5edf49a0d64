import * as z from "zod";
import type { Deps, EndFollower } from "../../access/deps.ts";
import { jobKind } from "../../jobs/kind.ts";
import { putJob } from "../../jobs/put.ts";

/** A task whose next attempt is due at a time. */
export interface AttemptDue {
  project_id: number;
  template_id: number;
  task_id: number;
}

export const attemptJobs = jobKind<AttemptDue>({
  name: "attempts",
  schema: z.object({ project_id: z.int(), template_id: z.int(), task_id: z.int() }),
  uniqueBy: ({ task_id }) => task_id,
});

/** The end of a task may have planned an attempt. */
export const attemptFollower: EndFollower = {
  name: attemptJobs.name,
  add(op, deps, { task: { id: task_id, project_id, template_id, attempt } }) {
    if (!attempt?.next_at) return;
    putJob(op, deps, attemptJobs, { project_id, template_id, task_id }, new Date(attempt.next_at));
  },
};

/** Returns the time of the next attempt after an end at this moment. */
export const nextAttemptAt = ({ clock }: Pick<Deps, "clock">, minutes: number): string =>
  new Date(clock.now().getTime() + minutes * 60_000).toISOString();
