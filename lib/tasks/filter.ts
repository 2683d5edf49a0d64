import type { z } from "zod";
import type { TaskRow } from "./schema.ts";
import type { Status } from "./status.ts";
import type { Trigger } from "./trigger.ts";
import type { taskListQuery } from "./operations.ts";

/** What of a project's history is wanted. */
export interface TaskFilter {
  limit: number;
  /** Only tasks with a smaller id. */
  before?: number;
  /** Any of these; all without them. */
  statuses?: readonly Status[];
  templateId?: number;
  /** By this person. */
  userId?: number;
  /** Started by any of these; all without them. */
  triggers?: readonly Trigger[];
  /** RFC 3339 in UTC; by when the task was created. */
  from?: string;
  to?: string;
}

type Compared = Pick<TaskRow, "status" | "template_id" | "user_id" | "created"> & {
  trigger: Trigger;
};

/** Whether a task is one of those that are wanted. */
export function matches(
  task: Compared,
  { statuses, templateId, userId, triggers, from, to }: TaskFilter,
): boolean {
  return (statuses?.includes(task.status) ?? true) &&
    (templateId === undefined || task.template_id === templateId) &&
    (userId === undefined || task.user_id === userId) &&
    (triggers?.includes(task.trigger) ?? true) &&
    (from === undefined || task.created >= from) &&
    (to === undefined || task.created <= to);
}

/** The filter of a list's query; `limitMax` is also what is answered when no limit is given. */
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
    from: query.from && new Date(query.from).toISOString(),
    to: query.to && new Date(query.to).toISOString(),
  };
}
