import * as z from "zod";
import { preservedField, requiredLineField } from "../../base/fields.ts";
import { sentenceOrTextSchema } from "../../base/sentence_or_text.ts";
import { ALL_KINDS, TARGET_KINDS } from "../schema.ts";

const SETTING_MAX = 8_000;
const SETTINGS_MAX = 20;

/**
 * The form of a target. Its kind decides which settings there are. A secret that is missing or
 * empty stays; null removes it.
 */
export const targetForm = z.object({
  name: requiredLineField(100),
  kind: z.enum(TARGET_KINDS, "errors.unknown_type"),
  /** Language of its messages. */
  language: preservedField(z.string().max(20, "errors.too_long")),
  active: preservedField(z.boolean()),
  /** Whether it may be in a private network, which only an admin can allow. */
  allow_private: preservedField(z.boolean()),
  settings: z.record(z.string(), z.string().max(SETTING_MAX, "errors.too_long").nullable())
    .nullish().transform((settings) => settings ?? {})
    .refine((settings) => Object.keys(settings).length <= SETTINGS_MAX, "errors.invalid"),
}).meta({
  name: "AlertTargetBody",
  example: {
    name: "Ops channel",
    kind: "slack",
    language: "en",
    settings: { url: "https://chat.example.com/hooks/ops" },
  },
});
export type TargetForm = z.output<typeof targetForm>;

export const targetSchema = z.object({
  id: z.int(),
  /** Null for a target of the server. */
  project_id: z.int().nullable(),
  name: z.string(),
  kind: z.enum(ALL_KINDS),
  language: z.string(),
  active: z.boolean(),
  allow_private: z.boolean(),
  /** Secrets are blank. */
  settings: z.record(z.string(), z.string()),
  /** Names of the secrets that are stored. */
  secrets: z.array(z.string()),
  /** Host of its address. */
  host: z.string(),
  /** Whether the settings of the server define it. No one can change it here. */
  from_environment: z.boolean(),
  /** Number of messages in a row that could not be sent. */
  failures: z.int(),
  /** It is paused after too many failures, until someone resumes it. */
  paused: z.iso.datetime().nullable(),
  paused_reason: sentenceOrTextSchema.nullable(),
}).meta({ name: "AlertTarget" });
/** A target as the API returns it. */
export type TargetView = z.output<typeof targetSchema>;

/** Result of a test message. */
export const targetTestSchema = z.object({
  ok: z.boolean(),
  /** Status of the HTTP answer; null if there was none. */
  code: z.int().nullable(),
  /** Reason of a failure; null for a success. */
  reason: sentenceOrTextSchema.nullable(),
}).meta({ name: "AlertTargetTestResult" });
export type TargetTest = z.output<typeof targetTestSchema>;

/** A message waits, was sent, is tried again, was abandoned, or was not sent to a paused target. */
const DELIVERY_STATUSES = ["waiting", "sent", "failed", "abandoned", "skipped"] as const;

export const alertDeliverySchema = z.object({
  time: z.iso.datetime(),
  event: z.string(),
  title: z.string(),
  /** Mail address, or chat of the Telegram bot of the settings; empty for other targets. */
  to: z.string(),
  status: z.enum(DELIVERY_STATUSES),
  attempts: z.int(),
  next_attempt: z.iso.datetime().nullable(),
  /** Status of the last HTTP answer; null if there was none. */
  code: z.int().nullable(),
  reason: sentenceOrTextSchema.nullable(),
}).meta({ name: "AlertDelivery" });
/** A message in the log of a target. */
export type AlertDelivery = z.output<typeof alertDeliverySchema>;
