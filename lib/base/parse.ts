import type * as z from "zod";
import { AppError, type Sentence } from "./errors.ts";

/** Parses `text` as JSON. Throws 400 if it is not valid JSON. */
export function parseJson(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text);
  } catch {
    throw new AppError(400, "errors.invalid_json");
  }
}

/** Returns the value as parsed by `schema`. Throws 400 with a sentence for each invalid field. */
export function parseWith<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields = fieldMessages(parsed.error);
  const first = Object.entries(fields)[0];
  throw new AppError(400, "errors.invalid_field", { field: first?.[0] || "body" }, { fields });
}

/** More problems help no one, and a long list of invalid items has one for each. */
const PROBLEMS_MAX = 100;

/**
 * Returns a message for each invalid field by its dotted path, for the first `PROBLEMS_MAX` fields.
 * Messages of schemas are locale keys.
 */
export function fieldMessages(error: z.ZodError): Record<string, Sentence> {
  const fields = new Map<string, Sentence>();
  for (const issue of error.issues) {
    const path = issue.path.join(".") || "body";
    if (!fields.has(path)) fields.set(path, issueMessage(issue));
    if (fields.size === PROBLEMS_MAX) break;
  }
  return Object.fromEntries(fields);
}

function issueMessage(issue: z.core.$ZodIssue): Sentence {
  if (issue.message.startsWith("errors.")) {
    if (!("maximum" in issue)) return { key: issue.message };
    return { key: issue.message, params: { max: Number(issue.maximum) } };
  }
  switch (issue.code) {
    case "invalid_type":
      return { key: "errors.wrong_type", params: { expected: issue.expected } };
    case "too_big":
      return { key: "errors.too_long", params: { max: Number(issue.maximum) } };
    case "too_small":
      return { key: "errors.too_short", params: { min: Number(issue.minimum) } };
    default:
      return { key: "errors.invalid" };
  }
}
