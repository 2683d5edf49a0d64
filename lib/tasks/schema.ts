import { z } from "zod";
import type { StarterKind } from "../access/actor.ts";
import type { Message } from "../base/errors.ts";
import { hasNul } from "../base/control.ts";
import { addTooBig, byteLength, LONG_TEXT_BYTES_MAX, parseJsonObject } from "../base/fields.ts";
import { branchField, checkLimit, checkTags, messageField } from "../execution/ansible/fields.ts";
import { type Status, STATUSES } from "./status.ts";

/** Characters of the arguments. */
const ARGUMENTS_MAX = 8192;

/** What older clients send for "not set" is taken as not sent. */
const text = (max: number) =>
  z.string().max(max, "errors.too_long").nullish().transform((value) => value || null);
const flag = z.boolean().nullish().transform((value) => value ?? false);
const id = z.int().min(0).nullish().transform((value) => value || null);
/** A list of words: as a list, or as one text with commas. */
const words = z.union([z.array(z.string().max(500)).max(200), z.string().max(4000)]).nullish()
  .transform((value) => {
    const list = typeof value === "string" ? value.split(",") : value ?? [];
    return list.map((word) => word.trim()).filter((word) => word !== "");
  });

/** A JSON object as text (or, leniently, as an object): answers by variable name. */
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

/** A JSON array of strings as text (or, leniently, as an array), normalised to text. */
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

/** The strings of a JSON array; null when it is none. */
export function parseStrings(text: string): string[] | null {
  try {
    const value = JSON.parse(text);
    return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : null;
  } catch {
    return null;
  }
}

/** Newer clients put the overrides into `params`, older ones beside it. */
const params = z.object({
  limit: words.superRefine(checkLimit),
  tags: words.superRefine(checkTags),
  skip_tags: words.superRefine(checkTags),
  debug: flag,
  dry_run: flag,
  diff: flag,
}).partial().nullish();

/** What a person or client may send to start a task. Messages are locale keys. */
export const startTaskForm = z.object({
  template_id: z.int("errors.required").min(1, "errors.required"),
  /** The task that this one repeats: clients send all of it back. */
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
  /** A commit of the branch, instead of its newest. */
  commit_hash: z.string().trim().toLowerCase().regex(/^([0-9a-f]{7,64})?$/, "errors.commit_hash")
    .nullish().transform((value) => value || null),
  limit: words.superRefine(checkLimit),
  tags: words.superRefine(checkTags),
  skip_tags: words.superRefine(checkTags),
  params,
});
export type StartTaskForm = z.output<typeof startTaskForm>;

/** What starts a task: any of the form's members, and what started it. */
export type StartTaskInput = z.input<typeof startTaskForm> & {
  schedule_id?: number;
  integration_id?: number;
};

export const stopTaskForm = z.object({ force: flag }).nullish().transform((form) =>
  form ?? {
    force: false,
  }
);

const nullableTime = z.iso.datetime().nullable();

const plainTask = z.object({
  id: z.int(),
  project_id: z.int(),
  template_id: z.int(),
  status: z.enum(STATUSES),
  message: z.string(),
  created: z.iso.datetime(),
  start: nullableTime,
  end: nullableTime,
  user_id: z.int().nullable(),
  user_name: z.string().nullable(),
  schedule_id: z.int().nullable(),
  integration_id: z.int().nullable(),
  tpl_alias: z.string(),
  tpl_type: z.enum(["", "build", "deploy"]),
  tpl_playbook: z.string(),
  tpl_app: z.string(),
  // What it was given itself, so that it can be sent again; the rest was as the template says.
  playbook: z.string(),
  inventory_id: z.int().nullable(),
  environment: z.string(),
  secret: z.string(),
  arguments: z.string().nullable(),
  limit: z.string(),
  git_branch: z.string().nullable(),
  version: z.string().nullable(),
  build_task_id: z.int().nullable(),
  commit_hash: z.string().nullable(),
  commit_message: z.string(),
  debug: z.boolean(),
  dry_run: z.boolean(),
  diff: z.boolean(),
  params: z.object({
    limit: z.array(z.string()),
    tags: z.array(z.string()),
    skip_tags: z.array(z.string()),
    debug: z.boolean(),
    dry_run: z.boolean(),
    diff: z.boolean(),
  }),
  /** Why it ended as it did, in a sentence; empty for a success. */
  end_reason: z.string(),
});

export const taskSchema = plainTask.extend({ build_task: plainTask.nullable() });
/** What the API answers. */
export type TaskView = z.output<typeof taskSchema>;
export type PlainTaskView = z.output<typeof plainTask>;

/** A task that has no end yet, as the list of all projects' tasks shows it to admins. */
export const queuedTaskSchema = z.object({
  task_id: z.int(),
  project_id: z.int(),
  project_name: z.string(),
  template_id: z.int(),
  /** Login of who started it; empty for schedules and webhooks. */
  username: z.string(),
  status: z.enum(STATUSES),
  location: z.enum(["queue", "running"]),
});
/** What the API answers. */
export type QueuedTask = z.output<typeof queuedTaskSchema>;

export const logRecordSchema = z.object({
  id: z.int(),
  task_id: z.int(),
  task: z.string(),
  time: z.iso.datetime(),
  output: z.string(),
});

/** What a task was given instead of what its template says; null or empty where nothing was. */
export interface Given {
  inventory_id: number | null;
  git_branch: string | null;
  limit: string[];
  tags: string[];
  skip_tags: string[];
}

/**
 * What is stored: who asked for what, a copy of what the template then said, and how it went.
 * Members that may be missing are not in rows of earlier versions.
 */
export interface TaskRow {
  id: number;
  project_id: number;
  template_id: number;
  status: Status;
  message: string;
  created: string;
  start: string | null;
  end: string | null;
  user_id: number | null;
  /** Login and display name, kept so that history stays readable without the account. */
  username: string | null;
  user_name: string | null;
  schedule_id: number | null;
  integration_id: number | null;
  /** What started it, where no person did. */
  started_by?: { kind: StarterKind; name: string };

  template_name: string;
  template_type: "" | "build" | "deploy";
  template_app?: string;
  playbook: string;
  repository_id: number;
  inventory_id: number;
  environment_id: number | null;
  /** The environments after the first. */
  more_environment_ids?: number[];
  vaults: { vault_key_id: number; name: string | null }[];
  template_arguments: string | null;
  skip_galaxy_install: boolean;
  /** Survey variables that go to the process's environment instead of extra vars. */
  environment_targets: string[];
  suppress_success_alerts: boolean;

  /** JSON object text of the answers, without the secret ones; empty where it is stored beside. */
  environment: string;
  /** Bytes of answers that are stored beside the row: see answer_store.ts. */
  long_answers?: number;
  has_secrets: boolean;
  arguments: string | null;
  /** Somebody who may only run tasks sent them, so they are read as such. */
  arguments_checked?: boolean;
  limit: string[];
  tags: string[];
  skip_tags: string[];
  git_branch: string | null;
  /** Which of these it was given; the others are the template's. */
  given?: Given;
  debug: boolean;
  dry_run: boolean;
  diff: boolean;

  /** The version that a build makes; null for others. */
  version: string | null;
  build_task_id: number | null;
  /** The version that a deploy brings out. */
  incoming_version: string | null;
  /** Wanted at the start for deploys and commit schedules; what was checked out afterwards. */
  commit_hash: string | null;
  /** Whoever started it chose the commit: it must be one of the branch. */
  commit_asked?: boolean;
  commit_message: string | null;

  /** What a stop asked for; the run hears of it by watching this row. */
  stop: "" | "stop" | "force";
  end_reason: Message | null;
}

/** A task that has no end yet: all that the dispatcher needs to decide. */
export interface OpenTask {
  id: number;
  project_id: number;
  template_id: number;
  status: Status;
  created: string;
  /** The server that runs it, and until when that is believed without a new sign of life. */
  lease: { owner: string; until: number } | null;
}
