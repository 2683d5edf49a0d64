import { z } from "zod";

/** Which lines of a task's output hold a text. */
export const logMatchesSchema = z.object({
  lines: z.array(z.int()),
  /** The last line that was looked at: those after it may hold the text, too. */
  searched: z.int(),
});
export type LogMatches = z.output<typeof logMatchesSchema>;
