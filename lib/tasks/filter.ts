import type { z } from "zod";
import type { TaskFilter } from "./history.ts";
import type { taskListQuery } from "./operations.ts";

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
