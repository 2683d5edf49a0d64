import { z } from "zod";
import type { Sentence } from "./errors.ts";

/** What a view tells: a sentence, for its reader's language; or somebody else's words as they are. */
export type Told = Sentence | string;

/** A member of a view that tells something. On its way out the API puts it into the caller's language. */
export const toldSchema = z.string() as unknown as z.ZodType<Told, Told>;
