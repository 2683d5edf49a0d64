import { z } from "zod";

/** Maximum number of entries of one kind, which is more than any project has. */
export const ENTRIES_MAX = 5_000;

export const textField = z.string().nullish();
export const flag = z.boolean().nullish();
export const number = z.int().nullish();
export const params = z.record(z.string(), z.unknown()).nullish();

/** Older servers write null for a list without entries, or leave it out. */
export const listOf = <T extends z.ZodType>(entry: T) =>
  z.array(entry).max(ENTRIES_MAX, "errors.too_long").nullish().transform((value) => value ?? []);
