import * as z from "zod";
import { sentenceOrTextSchema } from "./sentence_or_text.ts";

/** Why something is in a state other than success, and where, in pages and in the API. */
export const reasonSchema = z.object({
  /** The host, the step of a workflow or the file that it is about; empty for none. */
  subject: z.string(),
  /** The Ansible task; empty for none. */
  step: z.string(),
  message: sentenceOrTextSchema,
  /** Number of further subjects in the same state. */
  more: z.int(),
  /** Position in a file of the repository; null if it is not known. */
  place: z.object({
    file: z.string(),
    line: z.int(),
    column: z.int().nullable(),
  }).nullable(),
  /** Line of the task's output that reports it; null for none. */
  line: z.int().nullable(),
}).meta({ name: "Reason" });
export type Reason = z.output<typeof reasonSchema>;
