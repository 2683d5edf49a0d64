import { z } from "zod";
import type { Sentence } from "./errors.ts";

/**
 * A message in a view: a sentence in the reader's language, or a text from elsewhere, unchanged.
 */
export type ViewMessage = Sentence | string;

/**
 * Schema of a message in a view. The API translates it into the caller's language in its responses.
 */
export const viewMessageSchema = z.string() as unknown as z.ZodType<ViewMessage, ViewMessage>;
