import { z } from "zod";

/** Bytes of a long text: an inventory, an environment's variables, a survey. */
export const LONG_TEXT_BYTES_MAX = 256 * 1024;

const encoder = new TextEncoder();

/** Bytes of a text as it is stored. */
export const byteLength = (text: string): number => encoder.encode(text).length;

const required = (issue: { input?: unknown }) =>
  issue.input === undefined || issue.input === null ? "errors.required" : undefined;

// deno-lint-ignore no-control-regex -- \p{Cc} would be unknown to readers of the document
const ONE_LINE = /^[^\x00-\x1f\x7f-\x9f]*$/;

/** One line: what a control character would do to a page, a mail or a terminal is nobody's name. */
export const lineField = (max: number) =>
  z.string({ error: required }).trim().max(max, "errors.too_long")
    .regex(ONE_LINE, "errors.control_characters");

/** The same where it must not be empty. */
export const requiredLineField = (max: number) => lineField(max).min(1, "errors.required");

/** What a resource is called. */
export const nameField = requiredLineField(200);

/** An id that must be there. */
export const idField = z.int({ error: required }).min(1, "errors.required");

/** An id that may be missing: clients send null, 0 or nothing. */
export const optionalIdField = z.int().min(0, "errors.invalid").nullish()
  .transform((value) => value || null);

/**
 * A switch that is off when it is not sent, also by a change: a PUT replaces, and clients written in
 * Go leave out what is false. So with every other member that may be missing: what is not sent is
 * empty. Members that stay as they are instead are `keptField`s; `tests/routes/put_test.ts` has them all.
 */
export const flagField = z.boolean().nullish().transform((value) => value ?? false);

/** A member that no other server has: a change by a client that cannot know it leaves it as it is. */
export const keptField = <T extends z.ZodType>(schema: T) => schema.nullish();

/** A text that may be missing; an empty one is none. */
export const optionalTextField = (max: number) =>
  z.string().max(max, "errors.too_long").nullish().transform((value) => value || null);

/** A text of at most `LONG_TEXT_BYTES_MAX` bytes; empty when it is not sent. */
export const longTextField = z.string().nullish().transform((value) => value ?? "")
  .superRefine(limitBytes);

/** Refuses texts, and what JSON makes of other values, beyond `LONG_TEXT_BYTES_MAX`. */
export function limitBytes(value: unknown, ctx: z.RefinementCtx): void {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  if (text.length <= LONG_TEXT_BYTES_MAX / 3 || byteLength(text) <= LONG_TEXT_BYTES_MAX) return;
  addTooBig(ctx, value, LONG_TEXT_BYTES_MAX, "errors.too_large");
}

/** Says that `input` is beyond `maximum`, which the sentence of `message` tells as `max`. */
export function addTooBig(
  ctx: Pick<z.RefinementCtx, "addIssue">,
  input: unknown,
  maximum: number,
  message: string,
): void {
  ctx.addIssue({ code: "too_big", origin: "string", maximum, inclusive: true, input, message });
}

/** The object that `text` is the JSON of; null when it is none. */
export function parseJsonObject(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** What a variable may be called, in a playbook as in a process. */
export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

const SH_VARIABLES = new Set(["IFS", "LINENO", "OPTIND", "PPID"]);

/** Whether shells keep a variable for themselves: it would not reach the play, or end its shell. */
export const isShVariable = (name: string): boolean => SH_VARIABLES.has(name);

/**
 * For rules between fields: they are asked also when one of the fields is wrong, so that all that is
 * wrong is told at once. What is wrong with a field itself is not what its type says then.
 */
export const ALWAYS = { when: () => true };
