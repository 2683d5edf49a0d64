import * as z from "zod";
import { listNumber } from "@/lib/base/lists/list_query.ts";
import { RUN_STATUSES, type RunStatus } from "@/lib/workflows/step_state.ts";
import type { RunFilter } from "@/lib/workflows/runs/history.ts";
import { dayRange } from "../history.ts";

/** Number of runs on a page. */
const PAGE_RUNS = 20;

/** Query parameters of the list of runs. */
export interface RunsQuery {
  workflow?: number;
  /** The person who started them. */
  by?: number;
  status?: RunStatus[];
  /** Days in the reader's time zone, including the last one: "2026-03-01". */
  from?: string;
  to?: string;
}

const day = z.iso.date().optional().catch(undefined);

/** Invalid query parameters are ignored. */
const querySchema = z.object({
  workflow: listNumber(),
  by: listNumber(),
  from: day,
  to: day,
});

export function readRunsQuery(params: URLSearchParams): RunsQuery {
  const asked = params.getAll("status");
  const status = RUN_STATUSES.filter((one) => asked.includes(one));
  const query = querySchema.parse(Object.fromEntries(params));
  return { ...query, status: status.length > 0 ? status : undefined };
}

/** Returns the filter of a query, with days in `timeZone`. */
export const runFilterOf = (
  { workflow, by, status, from, to }: RunsQuery,
  timeZone: string,
  before?: number,
): RunFilter => ({
  limit: PAGE_RUNS,
  before,
  workflowId: workflow,
  starter: by,
  statuses: status,
  ...dayRange({ from, to }, timeZone),
});
