import * as z from "zod";
import {
  AFTER,
  hostOfResults,
  listChoices,
  listFilter,
  listSearch,
  listSize,
  queryNumber,
  templateOfTasks,
} from "../base/lists/list_query.ts";
import { reasonSchema } from "../base/reason.ts";
import { DRIFT_ORDERS, DRIFT_STATES, SHOWN_STATES } from "./state.ts";

const count = z.int();
const time = z.iso.datetime();

/** Maximum number of characters of a search for hosts. */
export const DRIFT_QUERY_LENGTH_MAX = 200;
/** Maximum number of hosts whose differences are accepted together. */
export const ACCEPTED_MAX = 1_000;
const NOTE_LENGTH_MAX = 500;

const driftCountsSchema = z.object({
  would_change: count,
  not_reached: count,
  unknown: count,
  /** Differences that someone has accepted. `would_change` leaves them out. */
  accepted: count,
  as_described: count,
});

const acceptedSchema = z.object({
  until: time,
  note: z.string(),
  /** The account that accepted it; null for a deleted one. */
  user_id: count.nullable(),
  user_name: z.string(),
  at: time,
});

export const hostDriftSchema = z.object({
  host: z.string(),
  template_id: count,
  template_name: z.string(),
  state: z.enum(DRIFT_STATES),
  /** Time of the first observation in this state. */
  since: time,
  /** Time of the latest observation. */
  checked: time,
  /** Time of the first observation in any state. */
  first_checked: time,
  /** Time at which it was last as described; null if it never was. */
  last_described: time.nullable(),
  /** The task that observed the state, and the commit that it ran. */
  task_id: count,
  commit: z.string().nullable(),
  /** Number of Ansible tasks that would change the host. */
  changes: count,
  /** Names of these Ansible tasks, at most 50. */
  change_tasks: z.array(z.string()),
  /** Whether some of the play could not be checked on the host. */
  partial: z.boolean(),
  /** Number of Ansible tasks that have no check mode. The state is that of the others. */
  unchecked: count,
  /** Why it was not, or not wholly, checked; null if it was. */
  reason: reasonSchema.nullable(),
  /** Null unless someone has accepted the difference. */
  accepted: acceptedSchema.nullable(),
  /** Value of `after` for the rows behind this one. */
  cursor: z.string(),
});
export type HostDrift = z.output<typeof hostDriftSchema>;

export const driftQuery = z.object({
  ...listSize,
  state: listChoices(SHOWN_STATES, "errors.invalid"),
  template_id: templateOfTasks,
  host: hostOfResults,
  q: listSearch(DRIFT_QUERY_LENGTH_MAX),
  /** Sorts by the names of hosts instead of the worst first. */
  sort: listFilter(z.enum(DRIFT_ORDERS), "errors.invalid").describe("Field to sort by"),
  after: listFilter(z.string().max(2_000).regex(/^\w+:\d{1,15}:/), "errors.invalid").describe(
    AFTER,
  ),
});

/** A check in the strip of a template. */
const stripCheckSchema = z.object({
  task_id: count,
  time,
  /** Whether it had results of all hosts. */
  complete: z.boolean(),
  hosts: driftCountsSchema,
});

const templateDriftSchema = z.object({
  template_id: count,
  template_name: z.string(),
  hosts: driftCountsSchema,
  /** The latest check; null if none has ended. */
  task_id: count.nullable(),
  checked: time.nullable(),
  commit: z.string().nullable(),
  /** Latest checks, oldest first, at most 30. */
  checks: z.array(stripCheckSchema),
  /** When hosts that still differ began to, with their number; oldest first, at most 200. */
  begun: z.array(z.object({ task_id: count, time, hosts: count })),
  /** Ansible tasks that hosts need, with the number of these hosts, most first; at most 100. */
  differing: z.array(z.object({ play_task: z.string(), hosts: count })),
});
export type TemplateDrift = z.output<typeof templateDriftSchema>;

export const driftStatsSchema = z.object({
  hosts: driftCountsSchema,
  templates: z.array(templateDriftSchema),
});

export const driftStatsQuery = z.object({ ...listSize, after: queryNumber().describe(AFTER) });

const hosts = z.array(z.string().min(1, "errors.required").max(1_000, "errors.too_long"))
  .min(1, "errors.required").max(ACCEPTED_MAX, "errors.drift.hosts_max");

export const acceptDriftForm = z.object({
  hosts,
  /** Time at which the differences count again. */
  until: z.iso.datetime({ offset: true, error: "errors.time" }),
  note: z.string().trim().min(1, "errors.required").max(NOTE_LENGTH_MAX, "errors.too_long"),
}).meta({ example: { hosts: ["web1"], until: "2026-12-01T00:00:00Z", note: "Until the move" } });
export type AcceptDriftForm = z.output<typeof acceptDriftForm>;

export const unacceptDriftForm = z.object({ hosts }).meta({ example: { hosts: ["web1"] } });
