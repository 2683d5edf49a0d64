import * as z from "zod";
import { type SentenceOrText, sentenceOrTextSchema } from "./sentence_or_text.ts";

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

/** Returns a reason that has only its sentence. */
export const plainReason = (message: SentenceOrText): Reason => ({
  subject: "",
  step: "",
  message,
  more: 0,
  place: null,
  line: null,
});
