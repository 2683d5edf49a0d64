import { hasMembers, parseExact } from "../../base/text/exact_json.ts";
import type { SourceValues } from "./kind.ts";
import type { PlanStorage } from "./plan_storage.ts";
import { sourceError } from "./errors.ts";

/** Longest answer of any storage for one path. A private key with a long chain is shorter. */
export const ANSWER_BYTES_MAX = 256 * 1024;

/** Returns a text as it is, and its members by their names if it is a JSON object. */
export function textValues(text: string): SourceValues {
  try {
    const parsed = parseExact(text);
    if (hasMembers(parsed) && !Array.isArray(parsed)) {
      return { values: valuesOf(parsed), text };
    }
  } catch {
    // It is a text.
  }
  return { values: {}, text };
}

/** Returns the members of an object as texts. Those that are no texts are JSON. */
export const valuesOf = (of: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(of).filter(([, value]) => value !== null).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );

/** Throws if an answer is too long. */
export function requireShort(storage: PlanStorage, path: string, bytes: number): void {
  if (bytes > ANSWER_BYTES_MAX) {
    throw sourceError(storage, path, "too_large", { max: ANSWER_BYTES_MAX / 1024 });
  }
}
