import * as z from "zod";

/** Lines of a task's output that match: the first ones, and their number. */
export const logMatchesSchema = z.object({
  lines: z.array(z.int()),
  /**
   * Highlights of each of these lines as shown without colors, from one character up to another.
   */
  marks: z.array(z.array(z.tuple([z.int(), z.int()]))),
  /** All matches up to this line are listed. Request later ones with `after`. */
  searched: z.int(),
  /** Number of matches up to line `counted`, listed or not. */
  found: z.int(),
  /** The last searched line. Later lines may match, too. */
  counted: z.int(),
}).meta({ name: "LogMatches" });
export type LogMatches = z.output<typeof logMatchesSchema>;

/** A page of the sections of a task's output. */
export const logSectionsSchema = z.object({
  sections: z.array(z.object({
    line: z.int(),
    title: z.string(),
    /** 0 for plays, 1 for their tasks. */
    depth: z.int(),
    /**
     * Failures in it that were not ignored or rescued, from the results, or else from the lines
     * that report failures.
     */
    failed: z.int(),
  })),
  /** Whether further sections follow. */
  has_next: z.boolean(),
  /** The first line that reports such a failure. */
  first_failure: z.int().nullable(),
});
export type LogSections = z.output<typeof logSectionsSchema>;

/** Tasks of a template whose output matches, newest first. */
export const foundRunsSchema = z.object({
  runs: z.array(z.object({
    task_id: z.int(),
    status: z.string(),
    created: z.iso.datetime(),
    /** Number of matching lines, and the number and text of the first one. */
    found: z.int(),
    line: z.int(),
    output: z.string(),
  })),
  /** Number of searched tasks. */
  searched: z.int(),
  /** Value of `before` for older tasks; null if there are none. */
  before: z.int().nullable(),
}).meta({ name: "FoundRuns" });

export const logRecordSchema = z.object({
  id: z.int(),
  task_id: z.int(),
  task: z.string(),
  time: z.iso.datetime(),
  output: z.string(),
}).meta({ name: "LogLine" });
