import type * as z from "zod";
import type { TaskRow } from "../../model/task_row.ts";
import type { Status } from "../../model/status.ts";
import { type Trigger, triggerOf } from "../trigger.ts";
import type { taskListQuery } from "../schema.ts";

/** Filter for a project's task history. */
export interface TaskFilter {
  limit: number;
  /** Only tasks with a smaller id. */
  before?: number;
  /** Any of these statuses; all statuses when missing. */
  statuses?: readonly Status[];
  templateId?: number;
  /** Only tasks that this person started. */
  userId?: number;
  /** Any of these triggers. When missing, all but checks. The tasks of a runner include checks. */
  triggers?: readonly Trigger[];
  /** Only tasks that this runner ran. */
  runnerId?: number;
  /** Only tasks that steps of this workflow started. */
  workflowId?: number;
  /** Whether automatic attempts are left out that another one follows. */
  last_attempts?: true;
  /** RFC 3339 in UTC, compared with the time when the task was created. */
  from?: string;
  to?: string;
}

/** The part of a task that filters compare. */
export type Compared = Pick<TaskRow, "status" | "template_id" | "user_id" | "created"> & {
  trigger: Trigger;
  runner_id?: number | null;
  workflow_id: number | null;
};

export const comparedOf = (task: TaskRow): Compared => ({
  status: task.status,
  template_id: task.template_id,
  user_id: task.user_id,
  created: task.created,
  trigger: triggerOf(task),
  runner_id: task.runner_id,
  workflow_id: task.workflow?.workflow_id ?? null,
});

/** Whether a task matches the filter. */
export function matchesFilter(
  task: Compared,
  { statuses, templateId, userId, triggers, runnerId, workflowId, from, to }: TaskFilter,
): boolean {
  return (statuses?.includes(task.status) ?? true) &&
    (templateId === undefined || task.template_id === templateId) &&
    (userId === undefined || task.user_id === userId) &&
    (triggers?.includes(task.trigger) ?? (task.trigger !== "check" || runnerId !== undefined)) &&
    (runnerId === undefined || task.runner_id === runnerId) &&
    (workflowId === undefined || task.workflow_id === workflowId) &&
    (from === undefined || task.created >= from) &&
    (to === undefined || task.created <= to);
}

/** Returns the filter of a list's query. `limitMax` is also the limit when the query has none. */
export function taskFilter(
  query: z.output<typeof taskListQuery>,
  limitMax: number,
  templateId = query.template_id,
): TaskFilter {
  return {
    limit: Math.min(query.count ?? query.limit ?? limitMax, limitMax),
    before: query.before,
    statuses: query.status,
    templateId,
    userId: query.user_id,
    triggers: query.trigger,
    runnerId: query.runner_id,
    workflowId: query.workflow_id,
    from: query.from && new Date(query.from).toISOString(),
    to: query.to && new Date(query.to).toISOString(),
  };
}
