import type { TaskAttempt } from "../model/task_row.ts";

/** The most attempts of a task: the first one, and 10 that repeat it. */
export const TASK_ATTEMPTS_MAX = 11;

/** Whether another attempt follows, so that the outcome of this one is not the last one. */
export const isRepeated = ({ attempt }: { attempt?: TaskAttempt }): boolean =>
  attempt?.next_at !== undefined || attempt?.next_id !== undefined;

/** Returns the task of the first attempt. */
export const firstAttempt = ({ id, attempt }: { id: number; attempt?: TaskAttempt }): number =>
  attempt?.first_id ?? id;
