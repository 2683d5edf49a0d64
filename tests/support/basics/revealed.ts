import { reveal, secretJson } from "@/lib/base/secret.ts";

/** Returns a value, such as a secret, with the texts of its secrets. */
// deno-lint-ignore no-explicit-any -- for comparisons
export const revealed = (value: unknown): any => JSON.parse(reveal(secretJson(value), "compare"));
