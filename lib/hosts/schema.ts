import * as z from "zod";
import { listBefore, listSearch, listSize } from "../base/lists/list_query.ts";
import { reasonSchema } from "../base/reason.ts";
import { RECAP_COUNTS } from "../execution/run/events.ts";
import { HOST_STATUSES } from "../results/statuses.ts";
import type { HostOrder, HostRank } from "./rows.ts";
import { STATUSES } from "../model/status.ts";
import { shortenedSchema } from "../results/schema.ts";

const time = z.iso.datetime();
const count = z.int();
const status = z.enum(HOST_STATUSES);

/** Maximum number of characters of a filter, more than a person types. */
export const HOST_QUERY_LENGTH_MAX = 200;

/** Position of a host in an order. */
export interface HostCursor {
  rank: HostRank;
  name: string;
}

/** Filter and order of a list of hosts. */
export interface HostsState {
  /** A part of their names; empty for all. */
  q: string;
  sort: HostOrder;
  /** Whether the usual direction is reversed. */
  isTurned: boolean;
}

export const hostsQuery = z.object({
  ...listSize,
  q: listSearch(HOST_QUERY_LENGTH_MAX),
  after_host: z.string().max(1_000, "errors.too_long").optional()
    .describe("Continue after this host, the last one of the previous page"),
});
export const hostRunsQuery = z.object({ ...listSize, before: listBefore });

export const projectHostSchema = z.object({
  name: z.string(),
  /** The worst status of the host in the last run. */
  status,
  last_task_id: count,
  /** Time of the host's last result in the last run. */
  last_run: time,
  /** The latest task that reached its end without a failure on the host. */
  last_success_task_id: count.nullable(),
  last_success: time.nullable(),
  /** The latest tasks, newest first, at most 20. */
  runs: z.array(z.object({ task_id: count, status, changed: count })),
});
export type ProjectHost = z.output<typeof projectHostSchema>;

export const hostRunSchema = z.object({
  task_id: count,
  template_id: count,
  template_name: z.string(),
  task_status: z.enum(STATUSES),
  /** The task that it repeats on some of its hosts; null for others. */
  retry_of: count.nullable(),
  /** The host's number within the task. */
  host_id: count,
  status,
  ...Object.fromEntries(RECAP_COUNTS.map((name) => [name, count])) as Record<
    (typeof RECAP_COUNTS)[number],
    typeof count
  >,
  start: time,
  end: time,
  /** Total time of its results. */
  duration_ms: count,
  /** Whether Ansible reached its recap. Otherwise the results are incomplete. */
  complete: z.boolean(),
  /** Why it failed there; null if it did not. */
  reason: reasonSchema.nullable(),
}).meta({ name: "HostRun" });
export type HostRun = z.output<typeof hostRunSchema>;

export const hostFactsSchema = z.object({
  /** The task that gathered them; null if none has. */
  task_id: count.nullable(),
  gathered: z.iso.datetime().nullable(),
  /** Facts as Ansible returns them, without environment variables. */
  facts: z.record(z.string(), z.unknown()),
  /** Parts of `facts` of which only the beginning is stored. */
  shortened: shortenedSchema,
  /** The task with which they are compared; null for the first one. */
  since_task_id: count.nullable(),
  /** Changes since that task, without times, free memory and similar facts. */
  changes: z.array(z.object({
    name: z.string(),
    change: z.enum(["added", "removed", "changed"]),
    before: z.string().nullable(),
    after: z.string().nullable(),
  })),
});
export type HostFacts = z.output<typeof hostFactsSchema>;
