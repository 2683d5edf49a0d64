import type { Sentence } from "../base/errors.ts";

/** The place of a task among the automatic attempts of its template: one story of several tasks. */
export interface StoryAttempt {
  /** Number of this attempt, from 1. */
  n: number;
  /** Number of attempts that the story may have. */
  of: number;
  /** Minutes between the end of an attempt and the next one. */
  minutes: number;
  /** Whether the starter could manage the project. Further attempts are checked alike. */
  manages: boolean;
  /** The task of the first attempt; missing in that task. */
  first_id?: number;
  /** Time of the next attempt, while one is due. */
  next_at?: string;
  /** The task of the next attempt, once it was started. */
  next_id?: number;
  /** Reason why a failed attempt is the last one, although the story may have more. */
  ended?: Sentence;
}

/** The most attempts of a story: the first one, and 10 that repeat it. */
export const STORY_MAX = 11;

/** Whether another attempt follows, so that the outcome of this one is not that of its story. */
export const isRepeated = ({ attempt }: { attempt?: StoryAttempt }): boolean =>
  attempt?.next_at !== undefined || attempt?.next_id !== undefined;

/** Returns the task of the first attempt. */
export const firstAttempt = ({ id, attempt }: { id: number; attempt?: StoryAttempt }): number =>
  attempt?.first_id ?? id;
