import { z } from "zod";

/** What was typed into a form that could not be sent, as it is kept. */
export const keptForm = z.object({
  /** By the fields' names; nothing secret is among them. */
  values: z.record(z.string(), z.string()),
  /** What must be typed again. */
  secrets: z.array(z.object({ name: z.string(), label: z.string() })),
  /** Whether a file was sent: none is kept. */
  hadFile: z.boolean(),
  /** Whether it was longer than what is kept. */
  tooLong: z.boolean(),
});
export type KeptForm = z.output<typeof keptForm>;
