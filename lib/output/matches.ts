import { z } from "zod";

/** Which lines of a task's output match: the first ones, and how many. */
export const logMatchesSchema = z.object({
  lines: z.array(z.int()),
  /** What of each of them matches, as it is shown without colours: from a character up to another. */
  marks: z.array(z.array(z.tuple([z.int(), z.int()]))),
  /** All that match up to this line are told: those after it are asked for with `after`. */
  searched: z.int(),
  /** How many match up to line `counted`: also such as are not told. */
  found: z.int(),
  /** The last line that was looked at: those after it may match, too. */
  counted: z.int(),
});
export type LogMatches = z.output<typeof logMatchesSchema>;

/** The parts of a task's output, some of them at a time. */
export const logSectionsSchema = z.object({
  sections: z.array(z.object({
    line: z.int(),
    title: z.string(),
    /** 0 for plays, 1 for their tasks. */
    depth: z.int(),
    /** Failures in it that nothing ignored or rescued: results, or without any lines that tell so. */
    failed: z.int(),
  })),
  /** Whether there are others behind them. */
  has_next: z.boolean(),
  /** The first line that tells of such a failure. */
  first_failure: z.int().nullable(),
});
export type LogSections = z.output<typeof logSectionsSchema>;

/** Which runs of a template printed something, newest first. */
export const foundRunsSchema = z.object({
  runs: z.array(z.object({
    task_id: z.int(),
    status: z.string(),
    created: z.iso.datetime(),
    /** How many of its lines match; number and text of the first one. */
    found: z.int(),
    line: z.int(),
    output: z.string(),
  })),
  /** How many runs were looked through. */
  searched: z.int(),
  /** Older ones are asked for with this; null: there are none. */
  before: z.int().nullable(),
});

export const logRecordSchema = z.object({
  id: z.int(),
  task_id: z.int(),
  task: z.string(),
  time: z.iso.datetime(),
  output: z.string(),
});
