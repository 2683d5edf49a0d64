import * as z from "zod";
import { hasMembers, isTooDeep, JSON_DEPTH_MAX, parseExact } from "./text/exact_json.ts";

/** Maximum size in bytes of a long text: an inventory, an environment's variables or a survey. */
export const LONG_TEXT_BYTES_MAX = 256 * 1024;

const encoder = new TextEncoder();

/** Returns the size of a text in bytes, as stored. */
export const byteLength = (text: string): number => encoder.encode(text).length;

const required = (issue: { input?: unknown }) =>
  issue.input === undefined || issue.input === null ? "errors.required" : undefined;

// deno-lint-ignore no-control-regex -- \p{Cc} would be unknown to readers of the document
const ONE_LINE = /^[^\x00-\x1f\x7f-\x9f]*$/;

/**
 * Schema of a single line. Control characters are refused because they could break a page, a mail
 * or a terminal.
 */
export const lineField = (max: number) =>
  z.string({ error: required }).trim().max(max, "errors.too_long")
    .regex(ONE_LINE, "errors.control_characters");

/** Same as `lineField`, for a line that must not be empty. */
export const requiredLineField = (max: number) => lineField(max).min(1, "errors.required");

/**
 * Runs a cross-field rule even when single fields are invalid, so that all errors show together.
 */
export const evenIfFieldsFail = {
  when: ({ value }: { value: unknown }) => typeof value === "object" && value !== null,
};

/** Name of a resource. */
export const nameField = requiredLineField(200);

/** An id that is required. */
export const idField = z.int({ error: required }).min(1, "errors.required");

/** An optional id. Clients send null, 0 or nothing. */
export const optionalIdField = z.int().min(0, "errors.invalid").nullish()
  .transform((value) => value || null);

/** Whether a text is the address of a server, without a login, which would be stored and shown. */
export const isServerUrl = (text: string): boolean => /^https?:\/\/[^\s@?#]{1,1000}$/.test(text);

/** An optional id. Null or 0 means none, undefined means that nothing was sent. */
export const saidIdField = z.int().min(0, "errors.invalid").nullish()
  .transform((value) => value === undefined ? undefined : value || null);

/**
 * A boolean that is false when it is not sent, also in an update: a PUT replaces the row, and
 * clients written in Go omit false. The same holds for every other optional member: a missing one
 * is empty. Members that keep their value instead are `preservedField`s; `put_test` lists
 * them all.
 */
export const flagField = z.boolean().nullish().transform((value) => value ?? false);

/**
 * A member that only Callboard has. An update without it keeps the stored value, because other
 * clients do not know it.
 */
export const preservedField = <T extends z.ZodType>(schema: T) => schema.nullish();
/** The same for a flag. */
export const preservedFlag = z.boolean().nullish()
  .transform((value) => value === undefined ? undefined : value ?? false);

/**
 * A member of newer clients that Callboard does not have. Only an empty value is accepted, because
 * something else would happen than was asked for if any other one was ignored.
 */
export const unsupportedField = <T extends z.ZodType>(schema: T, error: string) =>
  schema.nullish()
    .refine((value) => !value || Array.isArray(value) && value.length === 0, error)
    .transform(() => undefined);

/**
 * An optional text; null if it is not sent. An empty one means the same, but is answered as it was
 * sent, because declarative clients would change it again and again.
 */
export const optionalTextField = (max: number) =>
  z.string().max(max, "errors.too_long").nullish().transform((value) => value ?? null);

/** Whether a text has no value: an empty one, or the JSON of an empty array or object. */
export const isBlank = (text: string | null | undefined): boolean =>
  ["", "[]", "{}"].includes((text ?? "").replaceAll(/\s/g, ""));

/**
 * Returns a text without the byte-order mark that some editors put in front of it. It would be part
 * of the first word.
 */
const withoutMark = (text: string): string => text.replace(/^\ufeff/, "");

/** A text of at most `LONG_TEXT_BYTES_MAX` bytes; empty when it is not sent. */
export const longTextField = z.string().nullish().transform((value) => withoutMark(value ?? ""))
  .superRefine(limitBytes);

/** Refuses a text, or the JSON of any other value, beyond `LONG_TEXT_BYTES_MAX`. */
export function limitBytes(value: unknown, ctx: z.RefinementCtx): void {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  if (text.length <= LONG_TEXT_BYTES_MAX / 3 || byteLength(text) <= LONG_TEXT_BYTES_MAX) return;
  addTooBig(ctx, value, LONG_TEXT_BYTES_MAX, "errors.too_large");
}

/** Reports that `input` is beyond `maximum`, which the sentence `message` shows as `max`. */
export function addTooBig(
  ctx: Pick<z.RefinementCtx, "addIssue">,
  input: unknown,
  maximum: number,
  message: string,
): void {
  ctx.addIssue({ code: "too_big", origin: "string", maximum, inclusive: true, input, message });
}

/** Refuses lists and objects that are nested deeper than `JSON_DEPTH_MAX`. */
export function limitDepth(value: unknown, ctx: Pick<z.RefinementCtx, "addIssue">): void {
  if (isTooDeep(value)) addTooBig(ctx, value, JSON_DEPTH_MAX, "errors.json_too_deep");
}

/** Parses `text` as a JSON object with exact numbers. Returns null if it is not one. */
export function parseJsonObject(text: string): Record<string, unknown> | null {
  try {
    const value = parseExact(text);
    return hasMembers(value) && !Array.isArray(value) ? value as Record<string, unknown> : null;
  } catch {
    return null;
  }
}

/** Valid name of a variable, in a playbook as well as in a process. */
export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

const SH_VARIABLES = new Set(["IFS", "LINENO", "OPTIND", "PPID"]);

/** Whether shells reserve a variable: it would not reach the play, or it would end its shell. */
export const isShVariable = (name: string): boolean => SH_VARIABLES.has(name);
