import type * as z from "zod";
import type { TaskRow } from "./schema.ts";
import type { Status } from "./status.ts";
import type { Trigger } from "./trigger.ts";
import type { taskListQuery } from "./operations.ts";

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
  /** Any of these triggers; all triggers when missing. */
  triggers?: readonly Trigger[];
  /** Only tasks that this runner ran. */
  runnerId?: number;
  /** RFC 3339 in UTC, compared with the time when the task was created. */
  from?: string;
  to?: string;
}

type Compared = Pick<TaskRow, "status" | "template_id" | "user_id" | "created"> & {
  trigger: Trigger;
  runner_id?: number | null;
};

/** Whether a task matches the filter. */
export function matchesFilter(
  task: Compared,
  { statuses, templateId, userId, triggers, runnerId, from, to }: TaskFilter,
): boolean {
  return (statuses?.includes(task.status) ?? true) &&
    (templateId === undefined || task.template_id === templateId) &&
    (userId === undefined || task.user_id === userId) &&
    (triggers?.includes(task.trigger) ?? true) &&
    (runnerId === undefined || task.runner_id === runnerId) &&
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
    from: query.from && new Date(query.from).toISOString(),
    to: query.to && new Date(query.to).toISOString(),
  };
}
