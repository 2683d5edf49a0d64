import { z } from "zod";
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
  /** Whether Ansible came to its recap: where it did not, and the task has ended, results end there. */
  complete: z.boolean(),
  /** Events that never came, because reading them would have held up the play. */
  lost: count,
  /** Messages and differences that are too long to be kept. */
  cut: count,
  /** Results of which there was no room for all that the module answered. */
  full_dropped: count,
  /** Of a run in check mode: the places where its play asks for that. */
  check_mode: z.array(z.string()),
});
/** A run as far as it has told something. */
export type RunResults = z.output<typeof runResultsSchema>;

export const resultsSummarySchema = runResultsSchema.extend({
  /** The run is over, and did not come to its recap: it was stopped, say. */
  ends_early: z.boolean(),
});
export type ResultsSummary = z.output<typeof resultsSummarySchema>;

const recapCounts = Object.fromEntries(RECAP_COUNTS.map((name) => [name, count])) as Record<
  (typeof RECAP_COUNTS)[number],
  typeof count
>;

export const runHostSchema = z.object({
  /** Counts from 1 within the run. */
  id: count,
  name: z.string(),
  status: z.enum(HOST_STATUSES),
  ...recapCounts,
  start: time,
  end: time,
  /** Time that its results took together. */
  duration_ms: count,
  /** How many of `changed` a run in check mode has really changed: `check_mode: false`. */
  carried_out: count,
});
export type RunHost = z.output<typeof runHostSchema>;

const playTaskSchema = z.object({
  /** Counts from 1 within the run. */
  id: count,
  play_id: count,
  uuid: z.string(),
  name: z.string(),
  action: z.string(),
  role: z.string(),
  /** From the checkout's root, where it lies in it. */
  path: z.string(),
  path_line: count,
  handler: z.boolean(),
  start: time,
  end: time,
  /** The lines of the output from its announcement to what was printed of it last. */
  line,
  last_line: line,
  counts,
  /** On how many hosts check mode has left it out, so that nobody knows what it would do. */
  unchecked: count,
  /** On how many hosts a run in check mode has carried it out, and how many of them it changed. */
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
  /** Grows with the play task, and within it with the host. */
  id: count,
  play_task_id: count,
  /** Name of the play task. */
  play_task: z.string(),
  host_id: count,
  host: z.string(),
  status: z.enum(RESULT_STATUSES),
  changed: z.boolean(),
  /** Check mode has left it out, or a part of it. */
  unchecked: z.boolean(),
  /** A run in check mode has carried it out all the same, or a part of it: `check_mode: false`. */
  carried_out: z.boolean(),
  start: time,
  duration_ms: count,
  /** The lines of the output that were printed for it. */
  line,
  last_line: line,
  /** `no_log` hides what it says and changed. */
  hidden: z.boolean(),
  message: z.string(),
  delegated_to: z.string(),
  /** How many items of a loop were what. */
  items: z.object({ ok: count, changed: count, failed: count, skipped: count }).nullable(),
  /** Those that were not just ok, failed ones first, at most 50. */
  item_results: z.array(
    z.object({ status: z.string(), label: z.string(), message: z.string() }),
  ),
  /** A unified diff; null without diff mode, and where nothing has changed. */
  diff: z.string().nullable(),
  /** Characters of it, or of what was there before and after. */
  diff_size: count,
});
export type HostResult = z.output<typeof hostResultSchema>;

const told = {
  id: count,
  task_id: count,
  project_id: count,
  host: z.string(),
  created: time,
};

/** A host as newer Semaphore servers tell of it. */
export const ansibleHostSchema = z.object({ ...told, ...recapCounts });
export type AnsibleHost = z.output<typeof ansibleHostSchema>;

/** A failure as newer Semaphore servers tell of it. */
export const ansibleErrorSchema = z.object({ ...told, task: z.string(), error: z.string() });
export type AnsibleError = z.output<typeof ansibleErrorSchema>;

/** The same change on some hosts. */
export interface Change {
  /** Within the run; a page begins after it. */
  id: string;
  play_task_id: number;
  /** Empty where nobody knows what has changed. */
  diff: string;
  host_ids: number[];
  /** Those of them where a run in check mode has carried it out. */
  done_ids: number[];
  /** How many hosts there are besides. */
  more: number;
}

/** What a line of the output belongs to. */
export interface LinePlace {
  play_id: number;
  play_task_id: number;
  host_id: number | null;
}
