import { reveal, secretJson } from "@/lib/base/secret.ts";

/** Returns a value as JSON, with the texts of its secrets. */
// deno-lint-ignore no-explicit-any -- for comparisons
export const revealed = (value: unknown): any => JSON.parse(reveal(secretJson(value)));
