import * as z from "zod";
import { preservedField, requiredLineField } from "../../base/fields.ts";
import { ALERT_EVENTS } from "../schema.ts";

const IDS_MAX = 200;
const PATTERNS_MAX = 50;

const someIds = z.array(z.int().min(1, "errors.invalid"))
  .max(IDS_MAX, "errors.alerts.too_many_ids").transform((ids) => [...new Set(ids)]);
const ids = someIds.nullish().transform((ids) => ids ?? []);

/** A time of day, in 24 hours. */
const timeField = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "errors.alerts.time_of_day");

/** Hours in which alerts wait. They may reach past midnight. */
const quietField = z.object({
  from: timeField,
  to: timeField,
  timezone: z.string().max(50, "errors.too_long"),
});
export type QuietHours = z.output<typeof quietField>;

export const ruleForm = z.object({
  name: requiredLineField(100),
  target_id: z.int(),
  events: z.array(z.enum(ALERT_EVENTS, "errors.unknown_type")).min(1, "errors.required")
    .max(100, "errors.too_long").transform((events) => [...new Set(events)]),
  /** Only a rule of the server has them. Empty: all projects, and the server. */
  project_ids: preservedField(someIds),
  /** Subjects. If all of these are empty, it is for everything. Otherwise one must match. */
  template_ids: ids,
  view_ids: ids,
  workflow_ids: ids,
  /** Patterns of host names with `*`. Empty: any host, or none. */
  hosts: z.array(requiredLineField(200)).max(PATTERNS_MAX, "errors.alerts.too_many_ids").nullish()
    .transform((hosts) => hosts ?? []),
  /** Whether a failure that follows another one is sent, too. */
  repeat: preservedField(z.enum(["change", "each"], "errors.unknown_type")),
  /** Whether a digest reports the failures that are not sent, once a day. */
  digest: preservedField(z.boolean()),
  quiet: quietField.nullish().transform((quiet) => quiet ?? null),
  active: preservedField(z.boolean()),
}).meta({
  name: "AlertRuleBody",
  example: {
    name: "Failures at night",
    target_id: -1,
    events: ["failed", "recovered"],
    hosts: ["web*"],
    repeat: "change",
    digest: true,
    quiet: { from: "22:00", to: "06:30", timezone: "Europe/Berlin" },
  },
});
export type RuleForm = z.output<typeof ruleForm>;

export const alertRuleSchema = z.object({
  id: z.int(),
  /** Null for a rule of the server, which is for all projects. */
  project_id: z.int().nullable(),
  name: z.string(),
  target_id: z.int(),
  events: z.array(z.enum(ALERT_EVENTS)),
  /** Projects that a rule of the server is for; empty for all, and for the server. */
  project_ids: z.array(z.int()),
  template_ids: z.array(z.int()),
  view_ids: z.array(z.int()),
  workflow_ids: z.array(z.int()),
  hosts: z.array(z.string()),
  repeat: z.enum(["change", "each"]),
  digest: z.boolean(),
  quiet: quietField.nullable(),
  active: z.boolean(),
}).meta({ name: "AlertRule" });
/** A rule as the API returns it. */
export type RuleView = z.output<typeof alertRuleSchema>;

/** A stored rule. Its project is 0 for a rule of the server. */
export interface RuleRow extends Omit<RuleView, "project_id"> {
  project_id: number;
}
