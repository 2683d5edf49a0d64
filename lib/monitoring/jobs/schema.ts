import * as z from "zod";
import { listSize, listSkip } from "../../base/lists/list_query.ts";
import { sentenceOrTextSchema } from "../../base/sentence_or_text.ts";

/** Rows of each kind that are counted. This number stands for itself and more. */
export const JOBS_COUNTED_MAX = 1_000;

/** The jobs of one kind. Each number is at most `JOBS_COUNTED_MAX`. */
export const jobCountsSchema = z.object({
  kind: z.string(),
  /** Jobs that are due now or later, including those that are late. */
  waiting: z.int(),
  running: z.int(),
  /** Jobs that have been due for more than a minute and do not run. */
  late: z.int(),
  /** Jobs that have failed at their last attempt. */
  set_aside: z.int(),
});
export type JobCountsView = z.output<typeof jobCountsSchema>;

export const setAsideSchema = z.object({
  id: z.string(),
  kind: z.string(),
  /** Null for work that is for no project. */
  project_id: z.int().nullable(),
  project_name: z.string().nullable(),
  /** Time when it was set aside. */
  since: z.iso.datetime(),
  attempts: z.int(),
  /** Why the last attempt has failed. */
  reason: sentenceOrTextSchema,
});
/** A job that was set aside, as the API returns it. */
export type SetAsideView = z.output<typeof setAsideSchema>;

/** Maximum number of jobs in one answer. */
const SET_ASIDE_PAGE_MAX = 1_000;

export const setAsideQuery = z.object({ ...listSize, skip: listSkip })
  .transform(({ limit, count, skip = 0 }) => ({
    limit: Math.min(limit ?? count ?? SET_ASIDE_PAGE_MAX, SET_ASIDE_PAGE_MAX),
    skip,
  }));
