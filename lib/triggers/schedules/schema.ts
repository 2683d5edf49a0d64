import { z } from "zod";
import { toldSchema } from "../../base/told.ts";
import type { Sentence } from "../../base/errors.ts";
import { flagField, idField, keptField, lineField, optionalIdField } from "../../base/fields.ts";
import { startTaskForm } from "../../tasks/start_form.ts";

const SCHEDULE_TYPES = ["", "run_at"] as const;
/** What happens to a run whose time passed while no server was there. */
const MISSED_POLICIES = ["skip", "run_once"] as const;

/** Bytes of the values that its runs start with: the row must fit into one KV value. */
const TASK_PARAMS_MAX = 16_384;

const text = (max: number) => z.string().trim().max(max, "errors.too_long");

const runForm = startTaskForm.omit({ template_id: true, secret: true, playbook: true });

/** What a run is started with; kept as it was sent, and checked as a task's own form is. */
export const startParams = z.record(z.string(), z.unknown()).superRefine((value, ctx) => {
  if (JSON.stringify(value).length > TASK_PARAMS_MAX) {
    ctx.addIssue({ code: "custom", message: "errors.task_params_too_large" });
  }
  if (!isBlankSecret(value.secret)) {
    // Nobody types it in when the run starts, and here it would be read by all members.
    ctx.addIssue({ code: "custom", path: ["secret"], message: "errors.task_params_secret" });
  }
  for (const { path, message } of runForm.safeParse(value).error?.issues ?? []) {
    ctx.addIssue({ code: "custom", path: [...path], message });
  }
});

/** The inventory that runs are started with instead of the template's; null for the template's. */
export const inventoryOf = (params: Record<string, unknown> | null): number | null =>
  Number(params?.inventory_id) || null;

const isBlankSecret = (secret: unknown) => !secret || secret === "{}";

/**
 * What clients may send; people type a schedule in its template's form. A client that sends neither
 * name nor switch is of 2.9, and knows a cron format and a repository only: `name`, `active` and
 * `task_params` are then undefined, and stay as they are stored.
 */
export const scheduleForm = z.object({
  /** Clients of 2.9 do not know it: their schedules have none. */
  name: lineField(100).nullish(),
  template_id: idField,
  type: z.enum(SCHEDULE_TYPES, "errors.unknown_type").nullish().transform((value) => value ?? ""),
  cron_format: text(200).nullish().transform((value) => value ?? ""),
  timezone: keptField(text(100)),
  run_at: z.union([z.literal(""), z.iso.datetime({ offset: true, error: "errors.time" })])
    .nullish().transform((value) => value || null),
  delete_after_run: flagField,
  /**
   * A client that names a schedule knows this switch, and leaves it out when it is off. A client that
   * does neither makes schedules that run, and changes none of the two.
   */
  active: z.boolean().nullish(),
  /** Runs only when this repository's branch has a commit that no run was made for. */
  repository_id: optionalIdField,
  missed: keptField(z.enum(MISSED_POLICIES, "errors.unknown_type")),
  task_params: startParams.nullish(),
}).transform(({ name, active, task_params, ...form }) =>
  typeof name !== "string" && typeof active !== "boolean"
    ? { ...form, name: undefined, active: undefined, task_params: task_params ?? undefined }
    : { ...form, name: name ?? "", active: active ?? false, task_params: task_params ?? null }
);
export type ScheduleForm = z.output<typeof scheduleForm>;

/** Clients written in Go leave it out to switch a schedule off. */
export const scheduleActiveForm = z.object({ active: flagField });
export const cronForm = z.object({
  cron_format: z.string("errors.required").max(200, "errors.too_long"),
  timezone: text(100).nullish().transform((value) => value || null),
});

export const scheduleSchema = z.object({
  id: z.int(),
  project_id: z.int(),
  template_id: z.int(),
  tpl_name: z.string(),
  name: z.string(),
  type: z.enum(SCHEDULE_TYPES),
  cron_format: z.string(),
  timezone: z.string().nullable(),
  run_at: z.iso.datetime().nullable(),
  delete_after_run: z.boolean(),
  active: z.boolean(),
  repository_id: z.int().nullable(),
  missed: z.enum(MISSED_POLICIES),
  task_params: z.record(z.string(), z.unknown()).nullable(),
  /** The coming times, in UTC; none while it is inactive. */
  next_runs: z.array(z.iso.datetime()),
  last_task_id: z.int().nullable(),
  /** Why its newest run could not be started, in a sentence; null when it was. */
  last_error: toldSchema.nullable(),
  last_error_at: z.iso.datetime().nullable(),
});
/** What the API answers. */
export type ScheduleView = z.output<typeof scheduleSchema>;

/** What is stored. */
export interface ScheduleRow {
  id: number;
  project_id: number;
  template_id: number;
  name: string;
  type: (typeof SCHEDULE_TYPES)[number];
  cron_format: string;
  timezone: string | null;
  run_at: string | null;
  delete_after_run: boolean;
  active: boolean;
  repository_id: number | null;
  missed: (typeof MISSED_POLICIES)[number];
  task_params: Record<string, unknown> | null;
  /** The commit that the newest run was made for; remembered only once its task exists. */
  commit: string | null;
  /** Of a check for new commits that was begun: the time in its "unfinished" row. */
  checking_until?: string;
  /** When it comes next: its row in `schedules_due`; null when it does not. */
  next_at: string | null;
  last_task_id: number | null;
  last_error: (Sentence & { at: string }) | null;
}

/** A row of `schedules_due`. */
export interface DueRow {
  project_id: number;
  /** Looks at a repository first: slow, so only a few of these are taken at once. */
  checks: boolean;
  /**
   * Of an "unfinished" row, when its run was taken. It is there while a run is being started, and
   * comes due itself if the server dies meanwhile.
   */
  taken?: string;
  /** The last id that a task had then: one that this run makes has a greater one. */
  last_task?: number;
}

/** What of a deleted schedule a form of a cron format alone does not know, while it may come back. */
export interface DeletedSchedule
  extends Pick<ScheduleRow, "name" | "active" | "timezone" | "missed" | "task_params"> {
  at: string;
}

/** Whether a schedule says no more than when it comes, and whether only for new commits. */
export const isReplaceable = (
  { type, name, timezone, active, missed, task_params }: ScheduleView,
): boolean =>
  type === "" && name === "" && timezone === null && active && missed === "skip" &&
  task_params === null;
