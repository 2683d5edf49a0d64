import { closest, distance } from "fastest-levenshtein";
import type * as z from "zod";

/** Returns the known name that is closest to a mistyped one; null if none is close. */
export function nearestName(typed: string, known: readonly string[]): string | null {
  if (known.length === 0 || typed.length > 200) return null;
  const name = closest(typed, known);
  return distance(typed, name) <= Math.max(1, typed.length / 3) ? name : null;
}

/** Refuses unknown members of a settings object and suggests the closest known name for each. */
export const onlyKnown = (fields: object) => ({
  error: (issue: z.core.$ZodRawIssue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => unknownName(key, Object.keys(fields))).join(", ")
      : undefined,
});

function unknownName(name: string, known: string[]): string {
  const meant = nearestName(name, known);
  return `"${name}" is not known${meant ? `, did you mean "${meant}"?` : ""}`;
}
