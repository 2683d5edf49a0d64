import { closest, distance } from "fastest-levenshtein";
import type { z } from "zod";

/** The known name that a mistyped one is most like; null where none is like it. */
export function nearestName(typed: string, known: readonly string[]): string | null {
  if (known.length === 0 || typed.length > 200) return null;
  const name = closest(typed, known);
  return distance(typed, name) <= Math.max(1, typed.length / 3) ? name : null;
}

/** Refuses members of an object of settings that are not known, each with the one it is most like. */
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
