import * as z from "zod";
import { sentenceOrTextSchema } from "../../base/sentence_or_text.ts";
import type { Sentence } from "../../base/errors.ts";
import {
  evenIfFieldsFail,
  flagField,
  lineField,
  optionalIdField,
  preservedField,
} from "../../base/fields.ts";
import {
  WAITING_POLICIES,
  type WaitingPolicy,
  waitingPolicyField,
} from "../../tasks/waiting_policy.ts";
import { startParams } from "../../tasks/start_params.ts";
import { requireOneTarget, targetFields, type TriggerTarget } from "../trigger_target.ts";

const SCHEDULE_TYPES = ["", "run_at"] as const;
/** Policy for a time that passed while no server was running. */
const MISSED_POLICIES = ["skip", "run_once"] as const;

/** Members of a template that have a schedule. */
export const CHECK_MEMBERS = ["check_cron", "check_after_commit"] as const;
export type CheckMember = (typeof CHECK_MEMBERS)[number];

/** Maximum number of days by which times are moved, as in Semaphore. */
export const OFFSET_DAYS_MAX = 31;

const text = (max: number) => z.string().trim().max(max, "errors.too_long");

/** Days by which each time of a cron format is moved. */
const offsetDays = z.int("errors.integer").min(-OFFSET_DAYS_MAX, "errors.cron.offset_days")
  .max(OFFSET_DAYS_MAX, "errors.cron.offset_days");

/**
 * Body of an API request. People edit a schedule in its template's form. A client that sends
 * neither `name` nor `active` is of 2.9, and knows only a cron format and a repository. Then
 * `name`, `active` and `task_params` are undefined, and the stored values stay.
 */
export const scheduleForm = z.object({
  /** Unknown to clients of 2.9. Their schedules have no name. */
  name: lineField(100).nullish(),
  /** One of the two: the object that it starts. */
  ...targetFields,
  type: z.enum(SCHEDULE_TYPES, "errors.unknown_type").nullish().transform((value) => value ?? ""),
  cron_format: text(200).nullish().transform((value) => value ?? ""),
  timezone: preservedField(text(100)),
  /** An update without it keeps it, because older clients do not know it. */
  offset_days: preservedField(offsetDays),
  run_at: z.union([z.literal(""), z.iso.datetime({ offset: true, error: "errors.time" })])
    .nullish().transform((value) => value || null),
  delete_after_run: flagField,
  /**
   * A client that names a schedule knows this flag, and omits it if it is false. A client that
   * sends neither creates enabled schedules, and changes neither member.
   */
  active: z.boolean().nullish(),
  /** Starts only for a new commit on this repository's branch. */
  repository_id: optionalIdField,
  missed: preservedField(z.enum(MISSED_POLICIES, "errors.unknown_type")),
  if_waiting: waitingPolicyField,
  /** Checks the template's hosts for drift instead of running it. */
  check: preservedField(z.boolean()),
  task_params: startParams.nullish(),
}).superRefine(requireOneTarget, evenIfFieldsFail).transform((
  { name, active, task_params, ...form },
) =>
  typeof name !== "string" && typeof active !== "boolean"
    ? { ...form, name: undefined, active: undefined, task_params: task_params ?? undefined }
    : { ...form, name: name ?? "", active: active ?? false, task_params: task_params ?? null }
).meta({
  example: {
    template_id: 1,
    name: "Nightly",
    cron_format: "30 2 * * *",
    timezone: "Europe/Berlin",
    active: true,
    missed: "run_once",
    if_waiting: "one",
  },
});
export type ScheduleForm = z.output<typeof scheduleForm>;

/** Clients written in Go omit it to disable a schedule. */
export const scheduleActiveForm = z.object({ active: flagField }).meta({
  name: "ActiveBody",
  example: { active: false },
});
export const cronForm = z.object({
  cron_format: z.string("errors.required").max(200, "errors.too_long"),
  timezone: text(100).nullish().transform((value) => value || null),
  offset_days: offsetDays.nullish().transform((value) => value ?? 0),
}).meta({ example: { cron_format: "30 2 * * *" } });

/** The next times of a valid cron format. */
export const cronAnswer = z.object({ next_runs: z.array(z.iso.datetime()) });

export const scheduleSchema = z.object({
  id: z.int(),
  project_id: z.int(),
  /** Null for a schedule that starts a workflow. */
  template_id: z.int().nullable(),
  workflow_id: z.int().nullable(),
  /** Name of its template or workflow. */
  tpl_name: z.string(),
  name: z.string(),
  type: z.enum(SCHEDULE_TYPES),
  cron_format: z.string(),
  timezone: z.string().nullable(),
  /** Days by which each time of the cron format is moved. */
  offset_days: z.int(),
  run_at: z.iso.datetime().nullable(),
  delete_after_run: z.boolean(),
  active: z.boolean(),
  repository_id: z.int().nullable(),
  missed: z.enum(MISSED_POLICIES),
  /** Decision at its time while its latest task still waits, or its latest run is open. */
  if_waiting: z.enum(WAITING_POLICIES),
  /** Whether it checks the template's hosts for drift instead of running it. */
  check: z.boolean(),
  /** The member of its template that it stands for, and is changed by; null for none. */
  set_by: z.enum(CHECK_MEMBERS).nullable(),
  task_params: z.record(z.string(), z.unknown()).nullable(),
  /** The next times in UTC; empty while it is inactive. */
  next_runs: z.array(z.iso.datetime()),
  last_task_id: z.int().nullable(),
  /** The latest run of its workflow. */
  last_run_id: z.int().nullable(),
  /** Reason why its last task or run could not be started, as a sentence; null if it was. */
  last_error: sentenceOrTextSchema.nullable(),
  last_error_at: z.iso.datetime().nullable(),
  /** Latest time at which it started nothing because an earlier task or run was not over. */
  last_skipped_at: z.iso.datetime().nullable(),
  /** The commit that its last task was started for, if it starts only for new ones. */
  last_commit_hash: z.string().nullable(),
});
/** A schedule as the API returns it. */
export type ScheduleView = z.output<typeof scheduleSchema>;

/** A stored schedule. */
export interface ScheduleRow extends TriggerTarget {
  id: number;
  project_id: number;
  name: string;
  type: (typeof SCHEDULE_TYPES)[number];
  cron_format: string;
  timezone: string | null;
  offset_days: number;
  run_at: string | null;
  delete_after_run: boolean;
  active: boolean;
  repository_id: number | null;
  missed: (typeof MISSED_POLICIES)[number];
  if_waiting: WaitingPolicy;
  check: boolean;
  /** Only in schedules that stand for a member of their template. */
  set_by?: CheckMember;
  task_params: Record<string, unknown> | null;
  /** The commit that the last task was started for. It is stored only once that task exists. */
  commit: string | null;
  /** The next time, with a row in `schedules_due`; null if there is none. */
  next_at: string | null;
  last_task_id: number | null;
  last_run_id: number | null;
  last_error: (Sentence & { at: string }) | null;
  last_skipped_at?: string;
}

/** A row of `schedules_due`. */
export interface DueRow {
  project_id: number;
}

/**
 * Settings of a deleted schedule that clients with only a cron format do not know. They are
 * restored if it is created again soon.
 */
export interface DeletedSchedule extends
  Pick<
    ScheduleRow,
    | "name"
    | "active"
    | "timezone"
    | "offset_days"
    | "missed"
    | "if_waiting"
    | "check"
    | "task_params"
  > {
  at: string;
}

/** Whether a schedule has only times, and optionally a check for new commits. */
export const isReplaceable = (
  { type, name, timezone, offset_days, active, missed, if_waiting, check, task_params }:
    ScheduleView,
): boolean =>
  type === "" && name === "" && timezone === null && offset_days === 0 && active &&
  missed === "skip" &&
  if_waiting === "all" && !check && task_params === null;
