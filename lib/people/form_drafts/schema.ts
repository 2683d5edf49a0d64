import * as z from "zod";

/** Input of a form that could not be sent, as it is saved. */
export const formDraft = z.object({
  /** Values by the names of the fields. None of them is secret. */
  values: z.record(z.string(), z.string()),
  /** Fields that must be typed again. */
  secrets: z.array(z.object({ name: z.string(), label: z.string() })),
  /** Whether a file was sent. Files are not saved. */
  hadFile: z.boolean(),
  /** Whether it was too long to be saved. */
  tooLong: z.boolean(),
});
export type FormDraft = z.output<typeof formDraft>;
