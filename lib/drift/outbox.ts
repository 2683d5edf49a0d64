import * as z from "zod";
import type { EndFollower } from "../access/deps.ts";
import { jobKind } from "../jobs/kind.ts";
import { putJob } from "../jobs/put.ts";
import type { Atomic } from "../store/store.ts";
import { causeOf } from "../tasks/cause.ts";
import type { TaskRow } from "../model/task_row.ts";
import type { ChangedHosts } from "./rows.ts";

interface OutboxDeps {
  clock: { now(): Date };
}

/** An ended task whose states of hosts are still to be stored. */
export interface DriftDue {
  project_id: number;
  template_id: number;
  task_id: number;
  /** The task's hosts up to this number are stored. */
  after: number;
  /** All are stored. Known hosts up to this name, which it has not reached, are, too. */
  gone_after?: string;
  /** Hosts that stopped or began to match. */
  drifted?: ChangedHosts;
  back?: ChangedHosts;
}

const changedHosts = z.object({ count: z.int(), hosts: z.array(z.string()) });

export const driftJobs = jobKind<DriftDue>({
  name: "drift",
  schema: z.object({
    project_id: z.int(),
    template_id: z.int(),
    task_id: z.int(),
    after: z.int(),
    gone_after: z.string().optional(),
    drifted: changedHosts.optional(),
    back: changedHosts.optional(),
  }),
  uniqueBy: ({ task_id }) => task_id,
  groupBy: ({ project_id, template_id }) => `${project_id}/${template_id}`,
});

/** A check that has ended, or a fix whose preview has. */
export interface FixDue {
  project_id: number;
  template_id: number;
  task_id: number;
}

export const fixJobs = jobKind<FixDue>({
  name: "auto_fixes",
  schema: z.object({ project_id: z.int(), template_id: z.int(), task_id: z.int() }),
  uniqueBy: ({ task_id }) => task_id,
});

/** Accepted differences that end at the time of their job. */
export interface AcceptedDue {
  project_id: number;
  template_id: number;
  hosts: string[];
}

export const acceptedJobs = jobKind<AcceptedDue>({
  name: "accepted_drift",
  schema: z.object({
    project_id: z.int(),
    template_id: z.int(),
    hosts: z.array(z.string()),
  }),
});

/**
 * Whether a task says something about drift: a check, or a run of all that the template describes
 * on some of its hosts.
 */
function concernsDrift(task: TaskRow): boolean {
  const cause = causeOf(task);
  if (cause.kind === "check") return true;
  if ("of" in cause && cause.of.start_at) return false;
  const { dry_run, given, arguments: own, has_secrets } = task;
  return !dry_run && own === null && !has_secrets && given !== undefined &&
    given.inventory_id === null && given.git_branch === null &&
    given.tags.length === 0 && given.skip_tags.length === 0;
}

/** The states of the hosts of a task are stored later, a few per commit. */
export const driftFollower: EndFollower = {
  name: driftJobs.name,
  checks: true,
  add(op, deps, { task, isRun }) {
    if (!isRun || !concernsDrift(task)) return;
    const { id: task_id, project_id, template_id } = task;
    putJob(op, deps, driftJobs, { project_id, template_id, task_id, after: 0 });
  },
};

/**
 * Adds a check whose states are stored, or an automatic fix whose preview has ended, to `op`. It is
 * handled later, on this server or another one.
 */
export function queueFix(
  op: Atomic,
  deps: OutboxDeps,
  { id: task_id, project_id, template_id }: Pick<TaskRow, "id" | "project_id" | "template_id">,
): void {
  putJob(op, deps, fixJobs, { project_id, template_id, task_id });
}
