import { z } from "zod";

/** Which lines of a task's output match: the first ones, and how many. */
export const logMatchesSchema = z.object({
  lines: z.array(z.int()),
  /** All that match up to this line are told: those after it are asked for with `after`. */
  searched: z.int(),
  /** How many match up to line `counted`: also such as are not told. */
  found: z.int(),
  /** The last line that was looked at: those after it may match, too. */
  counted: z.int(),
});
export type LogMatches = z.output<typeof logMatchesSchema>;
