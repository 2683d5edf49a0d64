import { z } from "zod";
import { listNumber, listSize } from "../base/list_query.ts";
import { RECAP_COUNTS } from "../execution/run/events.ts";
import { HOST_STATUSES } from "../results/statuses.ts";
import type { HostOrder, HostRank } from "./rows.ts";
import { STATUSES } from "../tasks/status.ts";

const time = z.iso.datetime();
const count = z.int();
const status = z.enum(HOST_STATUSES);

/** Letters of a filter: more than a person types. */
export const HOST_QUERY_LENGTH_MAX = 200;

/** Where a host stands in an order. */
export interface HostPlace {
  rank: HostRank;
  name: string;
}

/** How a list of hosts is looked at. */
export interface HostsState {
  /** A part of their names; empty for all. */
  q: string;
  sort: HostOrder;
  /** The other way round than that is usually sorted. */
  isTurned: boolean;
}

export const hostsQuery = z.object({
  ...listSize,
  q: z.string().trim().max(HOST_QUERY_LENGTH_MAX, "errors.too_long").optional().default(""),
  after_host: z.string().max(1_000, "errors.too_long").optional(),
});
export const hostRunsQuery = z.object({ ...listSize, before: listNumber() });

export const projectHostSchema = z.object({
  name: z.string(),
  /** The worst that happened there in the last run. */
  status,
  last_task_id: count,
  /** When the last run was done with the host. */
  last_run: time,
  /** The last run that came to its end without a failure on the host. */
  last_success_task_id: count.nullable(),
  last_success: time.nullable(),
  /** The last runs, newest first: 20 at most. */
  runs: z.array(z.object({ task_id: count, status, changed: count })),
});
export type ProjectHost = z.output<typeof projectHostSchema>;

export const hostRunSchema = z.object({
  task_id: count,
  template_id: count,
  template_name: z.string(),
  task_status: z.enum(STATUSES),
  /** The host's number within the run. */
  host_id: count,
  status,
  ...Object.fromEntries(RECAP_COUNTS.map((name) => [name, count])) as Record<
    (typeof RECAP_COUNTS)[number],
    typeof count
  >,
  start: time,
  end: time,
  /** Time that its results took together. */
  duration_ms: count,
  /** Whether Ansible came to its recap: where it did not, results end before the playbook does. */
  complete: z.boolean(),
});
export type HostRun = z.output<typeof hostRunSchema>;
