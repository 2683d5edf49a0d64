import * as z from "zod";
import { daysBetween } from "../base/lists/list_query.ts";
import { FINAL_STATUSES, STEP_ENDS } from "./step_state.ts";

/** UTC days, including the first and excluding the last; the last 30 days if missing. */
export const runStatsQuery = z.object(daysBetween);

/**
 * Runs of each UTC day by final status, and their steps. Durations are seconds. Days without runs
 * are left out, and so are steps that were kept from another run.
 */
export const runStatsSchema = z.array(
  z.object({
    date: z.iso.date(),
    count_by_status: z.partialRecord(z.enum(FINAL_STATUSES), z.int()),
    avg_duration: z.int(),
    steps: z.array(z.object({
      id: z.int(),
      count_by_state: z.partialRecord(z.enum(STEP_ENDS), z.int()),
      avg_duration: z.int(),
    })),
  }).meta({ name: "WorkflowDayStats" }),
);
export type RunStats = z.output<typeof runStatsSchema>;
