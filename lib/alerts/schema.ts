import * as z from "zod";
import { sentenceOrTextSchema } from "../base/sentence_or_text.ts";
import type { OwnEvent } from "../model/account_row.ts";

export const CHANNELS = ["email", "telegram", "slack", "webhook"] as const;
export type ChannelKind = (typeof CHANNELS)[number];

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

/** Services that a target can be. */
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

/**
 * Whether a channel can send alerts of a project: it is configured on the server, and has a target.
 */
export interface ChannelState {
  channel: ChannelKind;
  state: "ready" | "no_target" | "missing";
}

/** Result of a test message in each channel. */
export const testResultSchema = z.object({
  channel: z.enum(CHANNELS),
  ok: z.boolean(),
  /** Reason of a failure in the channel's own words; null for a success. */
  reason: sentenceOrTextSchema.nullable(),
});
export type TestResult = z.output<typeof testResultSchema>;
