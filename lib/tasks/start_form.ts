import * as z from "zod";
import { hasNul } from "../base/text/control.ts";
import {
  addTooBig,
  byteLength,
  evenIfFieldsFail,
  limitDepth,
  LONG_TEXT_BYTES_MAX,
  parseJsonObject,
  unsupportedField,
} from "../base/fields.ts";
import { parseWith } from "../base/parse.ts";
import {
  branchField,
  messageField,
  validateLimit,
  validateTags,
} from "../execution/ansible/results/fields.ts";

import { personalFields } from "./personal.ts";

/** Maximum number of characters of the arguments. */
const ARGUMENTS_MAX = 8192;

/** Values that older clients send for "not set" count as missing. */
const text = (max: number) =>
  z.string().max(max, "errors.too_long").nullish().transform((value) => value || null);
const flag = z.boolean().nullish().transform((value) => value ?? false);
const choice = z.boolean().nullish().transform((value) => value ?? null);
const id = z.int().min(0).nullish().transform((value) => value || null);
/**
 * A list of words, either as a list or as one text with commas. An empty one counts as not sent.
 * One of blanks does not, and `check` refuses it.
 */
const wordsField = (check: (words: string[] | undefined, ctx: z.RefinementCtx) => void) =>
  z.union([z.array(z.string().max(500)).max(200), z.string().max(4000)]).nullish()
    .transform((value) => {
      const list = typeof value === "string" ? value.split(",") : value ?? [];
      const words = list.map((word) => word.trim()).filter((word) => word !== "");
      return words.length > 0 || !value?.length ? words : [""];
    }).superRefine(check);

/** Answers by variable name: a JSON object as text, or leniently as an object. */
const answers = z.union([z.string(), z.record(z.string(), z.unknown())]).nullish()
  .transform((value, ctx): Record<string, unknown> => {
    if (!value || value === "null") return {};
    const object = typeof value === "string" ? parseJsonObject(value) : value;
    if (object === null) ctx.addIssue({ code: "custom", message: "errors.json_object" });
    else if (byteLength(JSON.stringify(object)) > LONG_TEXT_BYTES_MAX) {
      addTooBig(ctx, value, LONG_TEXT_BYTES_MAX, "errors.answers_too_large");
    } else {
      limitDepth(object, ctx);
      return object;
    }
    return z.NEVER;
  });

/** Arguments of a command: the text to store, and its words. */
interface ArgumentList {
  text: string;
  words: string[];
}

/** A JSON array of strings as text, or leniently as an array. */
const argumentList = z.union([z.string(), z.array(z.string())]).nullish()
  .transform((value, ctx): ArgumentList | null => {
    if (!value || (typeof value === "string" && value.trim() === "")) return null;
    const words = typeof value === "string" ? parseStrings(value) : value;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (words === null) ctx.addIssue({ code: "custom", message: "errors.arguments_array" });
    else if (words.some(hasNul)) ctx.addIssue({ code: "custom", message: "errors.nul" });
    else if (text.length > ARGUMENTS_MAX) addTooBig(ctx, value, ARGUMENTS_MAX, "errors.too_long");
    else return { text, words };
    return z.NEVER;
  });
/** The same as text. */
export const argumentsText = z.union([
  z.string().regex(/^\s*$/),
  argumentList.transform((list) => list && list.text),
]);

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
  limit: wordsField(validateLimit),
  tags: wordsField(validateTags),
  skip_tags: wordsField(validateTags),
  debug: flag,
  dry_run: flag,
  diff: flag,
  skip_galaxy_install: choice,
  force_galaxy_install: flag,
  /** Those of Terraform. A task would change what was only to be planned. */
  plan: unsupportedField(z.boolean(), "errors.templates.app"),
  destroy: unsupportedField(z.boolean(), "errors.templates.app"),
}).partial().nullish();

/** Fields of a request to start a task. Messages are locale keys. */
export const startTaskFields = z.object({
  /** One of the two is required. If both are sent, they must mean the same template. */
  template_id: z.int("errors.required").min(0, "errors.required").nullish()
    .transform((value) => value ?? 0),
  template_name: z.string().max(200, "errors.too_long").nullish(),
  /** Id of the task that this one repeats. Clients send it back as a whole. */
  id,
  build_task_id: id,
  message: messageField,
  environment: answers,
  secret: answers,
  arguments: argumentList,
  debug: flag,
  dry_run: flag,
  diff: flag,
  /** Whether requirements are left out; null as in the template. */
  skip_galaxy_install: choice,
  /** Whether requirements are installed again, as for all later tasks of the repository. */
  force_galaxy_install: flag,
  playbook: text(1000),
  inventory_id: id,
  git_branch: branchField,
  /** A commit of the branch, instead of its latest. */
  commit_hash: z.string().trim().toLowerCase().regex(/^([0-9a-f]{7,64})?$/, "errors.commit_hash")
    .nullish().transform((value) => value || null),
  limit: wordsField(validateLimit),
  tags: wordsField(validateTags),
  skip_tags: wordsField(validateTags),
  params,
  ...personalFields,
});

/** Newer clients send these values in `params`. */
const WORDS = ["limit", "tags", "skip_tags"] as const;
const FLAGS = ["debug", "dry_run", "diff", "force_galaxy_install"] as const;

/** Request to start a task. Only parsing creates its output, so nobody checks it again. */
export const startTaskForm = startTaskFields.superRefine(({ template_id, template_name }, ctx) => {
  if (template_id || template_name) return;
  ctx.addIssue({ code: "custom", path: ["template_id"], message: "errors.required" });
}, evenIfFieldsFail).transform(({ params, ...form }) => {
  for (const name of WORDS) if (form[name].length === 0) form[name] = params?.[name] ?? [];
  for (const name of FLAGS) form[name] ||= params?.[name] ?? false;
  form.skip_galaxy_install ??= params?.skip_galaxy_install ?? null;
  return form;
}).brand<"StartTaskForm">().meta({
  example: {
    template_id: 1,
    message: "Friday's release",
    environment: '{"host": "web1.example.com"}',
    dry_run: false,
    params: { limit: ["web1.example.com"] },
  },
});
export type StartTaskForm = z.output<typeof startTaskForm>;

/** Input to start a task. */
export type StartTaskInput = z.input<typeof startTaskForm>;

/** Parses the input of a task. Throws 400 with a sentence for each invalid field. */
export const parseStart = (input: Record<string, unknown>): StartTaskForm =>
  parseWith(startTaskForm, input);

export const stopTaskForm = z.object({ force: flag }).nullish().transform((form) =>
  form ?? {
    force: false,
  }
).meta({ example: { force: false } });
