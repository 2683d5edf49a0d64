import type { Sentence } from "../base/errors.ts";

/** Stored row of work that happens later. */
export interface JobRow<Input = object> {
  input: Input;
  /** Project that it is for; null for none. */
  project_id: number | null;
  /** Time in milliseconds at which it is due, and at which that was decided. */
  at: number;
  decided: number;
  /** Number of attempts that were begun since it last went on. */
  attempts: number;
  /** The latest failure. */
  failure?: { reason: Sentence; at: number };
  /** The attempt under way, which another one may follow after a time in milliseconds. */
  claim?: { id: string; server: string; until: number };
  /** Time in milliseconds since which no further attempt follows, unless someone asks for it. */
  set_aside?: number;
}

/** Stored value of the index of jobs that are set aside. */
export interface SetAsideEntry {
  project_id: number | null;
  /** Time in milliseconds since when. */
  at: number;
}

/**
 * Stored value of the index of jobs by time. An entry is a hint: its job may be gone, or have
 * another time by now.
 */
export interface DueEntry {
  project_id: number | null;
  group?: string;
  /** Milliseconds for which it was postponed. */
  wait?: number;
  /** Server that works on it. Its time is then the one at which others may take it over. */
  server?: string;
}
