import * as z from "zod";
import { reasonSchema } from "../base/reason.ts";
import { RECAP_COUNTS, RESULT_STATUSES } from "../execution/run/events.ts";
import { HOST_STATUSES } from "./statuses.ts";

const time = z.iso.datetime();
const line = z.int().nullable();
const count = z.int();
const counts = z.partialRecord(z.enum(RESULT_STATUSES), count);

const runResultsSchema = z.object({
  plays: count,
  play_tasks: count,
  hosts: count,
  results: count,
  counts,
  start: time,
  end: time,
  /**
   * Whether Ansible reached its recap. If the task has ended without it, the results are
   * incomplete.
   */
  complete: z.boolean(),
  /** Number of events that were dropped because reading them would have blocked the play. */
  lost: count,
  /** Number of messages and differences that are too long to be stored. */
  cut: count,
  /** Number of results for which there was no room for the module's full answer. */
  full_dropped: count,
  /** In check mode: positions where the play depends on check mode. */
  check_mode: z.array(z.string()),
});
/** Summary of the results so far. */
export type RunResults = z.output<typeof runResultsSchema>;

export const resultsSummarySchema = runResultsSchema.extend({
  /** Whether it ended without reaching its recap, for example because it was stopped. */
  ends_early: z.boolean(),
});
export type ResultsSummary = z.output<typeof resultsSummarySchema>;

const recapCounts = Object.fromEntries(RECAP_COUNTS.map((name) => [name, count])) as Record<
  (typeof RECAP_COUNTS)[number],
  typeof count
>;

const runHostSchema = z.object({
  /** Counts from 1 within these results. */
  id: count,
  name: z.string(),
  status: z.enum(HOST_STATUSES),
  ...recapCounts,
  start: time,
  end: time,
  /** Total time of its results. */
  duration_ms: count,
  /**
   * How many of `changed` were really changed in spite of check mode, because of `check_mode:
   * false`.
   */
  carried_out: count,
});
export type RunHost = z.output<typeof runHostSchema>;

/** A host as lists show it. */
export const listedHostSchema = runHostSchema.extend({
  /** The first failure after which a play did not continue; null for none. */
  reason: reasonSchema.nullable(),
});
export type ListedHost = z.output<typeof listedHostSchema>;

const playTaskSchema = z.object({
  /** Counts from 1 within these results. */
  id: count,
  play_id: count,
  uuid: z.string(),
  name: z.string(),
  action: z.string(),
  role: z.string(),
  /** Relative to the checkout's root, if the file is inside of it. */
  path: z.string(),
  path_line: count,
  handler: z.boolean(),
  start: time,
  end: time,
  /** Lines of the output, from its announcement to the last line that was printed for it. */
  line,
  last_line: line,
  counts,
  /** Number of hosts on which check mode skipped it, so that its effect is unknown. */
  unchecked: count,
  /**
   * Number of hosts on which it was executed in spite of check mode, and number of those it
   * changed.
   */
  carried_out: count,
  carried_out_changed: count,
  slowest: z.object({ host_id: count, host: z.string(), duration_ms: count }).nullable(),
});
export type PlayTask = z.output<typeof playTaskSchema>;

export const playSchema = z.object({
  id: count,
  name: z.string(),
  start: time,
  end: time,
  line,
  tasks: z.array(playTaskSchema),
});
export type Play = z.output<typeof playSchema>;

export const hostResultSchema = z.object({
  /** Grows with the Ansible task, and within it with the host. */
  id: count,
  play_task_id: count,
  /** Name of the Ansible task. */
  play_task: z.string(),
  host_id: count,
  host: z.string(),
  status: z.enum(RESULT_STATUSES),
  changed: z.boolean(),
  /** Whether check mode skipped it or a part of it. */
  unchecked: z.boolean(),
  /**
   * Whether it, or a part of it, was executed in spite of check mode because of `check_mode:
   * false`.
   */
  carried_out: z.boolean(),
  start: time,
  duration_ms: count,
  /** Lines of the output that were printed for it. */
  line,
  last_line: line,
  /** Whether `no_log` hides its message and changes. */
  hidden: z.boolean(),
  message: z.string(),
  delegated_to: z.string(),
  /** Number of a loop's items by status. */
  items: z.object({ ok: count, changed: count, failed: count, skipped: count }).nullable(),
  /** Items that were not just ok, failed ones first, at most 50. */
  item_results: z.array(
    z.object({ status: z.string(), label: z.string(), message: z.string() }),
  ),
  /** A unified diff; null without diff mode, or if nothing has changed. */
  diff: z.string().nullable(),
  /** Characters of the diff, or of the contents before and after. */
  diff_size: count,
});
export type HostResultView = z.output<typeof hostResultSchema>;

const common = {
  id: count,
  task_id: count,
  project_id: count,
  host: z.string(),
  created: time,
};

/** A host in the format of newer Semaphore servers. */
export const ansibleHostSchema = z.object({ ...common, ...recapCounts });
export type AnsibleHost = z.output<typeof ansibleHostSchema>;

/** A failure in the format of newer Semaphore servers. */
export const ansibleErrorSchema = z.object({ ...common, task: z.string(), error: z.string() });
export type AnsibleError = z.output<typeof ansibleErrorSchema>;

/** The same change on some hosts. */
export interface Change {
  /** Id within these results. A page begins after it. */
  id: string;
  play_task_id: number;
  /** Empty for an unknown change. */
  diff: string;
  host_ids: number[];
  /** Those of the hosts that were changed in spite of check mode. */
  done_ids: number[];
  /** Number of further hosts. */
  more: number;
}

/** The play, Ansible task and host of an output line. */
export interface LineOrigin {
  play_id: number;
  play_task_id: number;
  host_id: number | null;
}

export const shortenedSchema = z.array(z.object({
  path: z.array(z.union([z.string(), count])),
  /** Characters of a text, or members of a list, before it was shortened. */
  length: count,
}));

export const fullResultSchema = hostResultSchema.extend({
  /** Full answer of the module; null if it is not stored or hidden, or if there was no room. */
  result: z.record(z.string(), z.unknown()).nullable(),
  /** Parts of `result` of which only the beginning is stored. */
  shortened: shortenedSchema,
}).meta({ name: "FullTaskResult" });
export type FullHostResult = z.output<typeof fullResultSchema>;
