import { z } from "zod";
import { listNumber } from "@/lib/base/list_query.ts";
import { STATUSES } from "@/lib/tasks/status.ts";

export const PAGE_TASKS = 20;
/** The id of the list that new tasks come into. */
export const HISTORY_LIST = "history-tasks";

/** What cannot be read in the address is as if it were not there. */
export const historyQuery = z.object({
  before: listNumber(),
  status: z.enum(STATUSES).optional().catch(undefined),
});

export function queryOf(values: Record<string, string | number | undefined>): URLSearchParams {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
}
