import { z } from "zod";
import { hasNul } from "../base/control.ts";
import { addTooBig, byteLength, LONG_TEXT_BYTES_MAX, parseJsonObject } from "../base/fields.ts";
import { branchField, checkLimit, checkTags, messageField } from "../execution/ansible/fields.ts";

/** Maximum number of characters of the arguments. */
const ARGUMENTS_MAX = 8192;

/** Values that older clients send for "not set" count as missing. */
const text = (max: number) =>
  z.string().max(max, "errors.too_long").nullish().transform((value) => value || null);
const flag = z.boolean().nullish().transform((value) => value ?? false);
const id = z.int().min(0).nullish().transform((value) => value || null);
/** A list of words, either as a list or as one text with commas. */
const words = z.union([z.array(z.string().max(500)).max(200), z.string().max(4000)]).nullish()
  .transform((value) => {
    const list = typeof value === "string" ? value.split(",") : value ?? [];
    return list.map((word) => word.trim()).filter((word) => word !== "");
  });

/** Answers by variable name: a JSON object as text, or leniently as an object. */
const answers = z.union([z.string(), z.record(z.string(), z.unknown())]).nullish()
  .transform((value, ctx): Record<string, unknown> => {
    if (!value || value === "null") return {};
    const object = typeof value === "string" ? parseJsonObject(value) : value;
    if (object === null) ctx.addIssue({ code: "custom", message: "errors.json_object" });
    else if (byteLength(JSON.stringify(object)) > LONG_TEXT_BYTES_MAX) {
      addTooBig(ctx, value, LONG_TEXT_BYTES_MAX, "errors.answers_too_large");
    } else return object;
    return z.NEVER;
  });

/** A JSON array of strings as text, or leniently as an array, normalized to text. */
export const argumentsText = z.union([z.string(), z.array(z.string())]).nullish()
  .transform((value, ctx): string | null => {
    if (!value || (typeof value === "string" && value.trim() === "")) return null;
    const list = typeof value === "string" ? parseStrings(value) : value;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (list === null) ctx.addIssue({ code: "custom", message: "errors.arguments_array" });
    else if (list.some(hasNul)) ctx.addIssue({ code: "custom", message: "errors.nul" });
    else if (text.length > ARGUMENTS_MAX) addTooBig(ctx, value, ARGUMENTS_MAX, "errors.too_long");
    else return list.length === 0 ? null : text;
    return z.NEVER;
  });

/** Returns the strings of a JSON array; null if the text is not one. */
export function parseStrings(text: string): string[] | null {
  try {
    const value = JSON.parse(text);
    return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : null;
  } catch {
    return null;
  }
}

/** Newer clients put the overrides into `params`, older ones next to it. */
const params = z.object({
  limit: words.superRefine(checkLimit),
  tags: words.superRefine(checkTags),
  skip_tags: words.superRefine(checkTags),
  debug: flag,
  dry_run: flag,
  diff: flag,
}).partial().nullish();

/** Request to start a task. Messages are locale keys. */
export const startTaskForm = z.object({
  template_id: z.int("errors.required").min(1, "errors.required"),
  /** Id of the task that this one repeats. Clients send it back as a whole. */
  id,
  build_task_id: id,
  message: messageField,
  environment: answers,
  secret: answers,
  arguments: argumentsText,
  debug: flag,
  dry_run: flag,
  diff: flag,
  playbook: text(1000),
  inventory_id: id,
  git_branch: branchField,
  /** A commit of the branch, instead of its latest. */
  commit_hash: z.string().trim().toLowerCase().regex(/^([0-9a-f]{7,64})?$/, "errors.commit_hash")
    .nullish().transform((value) => value || null),
  limit: words.superRefine(checkLimit),
  tags: words.superRefine(checkTags),
  skip_tags: words.superRefine(checkTags),
  params,
});
export type StartTaskForm = z.output<typeof startTaskForm>;

/** Input to start a task. */
export type StartTaskInput = z.input<typeof startTaskForm>;

export const stopTaskForm = z.object({ force: flag }).nullish().transform((form) =>
  form ?? {
    force: false,
  }
);
