import * as z from "zod";
import type { Sentence } from "./errors.ts";

/** A sentence in the reader's language, or a text from elsewhere, which stays as it is. */
export type SentenceOrText = Sentence | string;

/** Its schema in a view. The API answers it in the caller's language. */
export const sentenceOrTextSchema = z.string() as unknown as z.ZodType<
  SentenceOrText,
  SentenceOrText
>;
