import type { StoryAttempt } from "../model/task_row.ts";

/** The most attempts of a story: the first one, and 10 that repeat it. */
export const STORY_MAX = 11;

/** Whether another attempt follows, so that the outcome of this one is not that of its story. */
export const isRepeated = ({ attempt }: { attempt?: StoryAttempt }): boolean =>
  attempt?.next_at !== undefined || attempt?.next_id !== undefined;

/** Returns the task of the first attempt. */
export const firstAttempt = ({ id, attempt }: { id: number; attempt?: StoryAttempt }): number =>
  attempt?.first_id ?? id;
