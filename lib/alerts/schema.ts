import * as z from "zod";
import { sentenceOrTextSchema } from "../base/sentence_or_text.ts";
import type { OwnEvent } from "../model/account_row.ts";

/** Targets that the settings of the server define, in the order of their ids: -1, -2 and so on. */
export const CHANNELS = ["email", "telegram", "slack", "webhook"] as const;
export type Channel = (typeof CHANNELS)[number];

/** Reasons for an alert. */
export const ALERT_EVENTS = [
  "failed",
  "recovered",
  "succeeded",
  "waiting",
  "changed",
  "drifted",
  "back_to_normal",
  "runner_lost",
  "schedule_missed",
  "certificate_expiring",
  "account_locked",
  "backup_too_old",
] as const;
export type AlertEvent = (typeof ALERT_EVENTS)[number];

/** The event that a status of one's own task is for people who want to know. */
export const OWN_EVENT_OF: Readonly<Record<string, OwnEvent | undefined>> = {
  success: "succeeded",
  error: "failed",
  waiting_confirmation: "waiting",
};

/** Services that people can set up as targets. */
export const TARGET_KINDS = [
  "email",
  "slack",
  "teams",
  "discord",
  "mattermost",
  "rocketchat",
  "telegram",
  "ntfy",
  "gotify",
  "matrix",
  "pushover",
  "pagerduty",
  "opsgenie",
  "http",
] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

/** All kinds of targets. Only the settings of the server define the last two. */
export const ALL_KINDS = [...TARGET_KINDS, "members", "webhook"] as const;
export type AnyKind = (typeof ALL_KINDS)[number];

/** Result of a test message to each target that the settings define. */
export const testResultSchema = z.object({
  channel: z.enum(CHANNELS),
  ok: z.boolean(),
  /** Reason of a failure in the target's own words; null for a success. */
  reason: sentenceOrTextSchema.nullable(),
}).meta({ name: "AlertTestResult" });
export type TestResult = z.output<typeof testResultSchema>;
