import { z } from "zod";
import { RECAP_COUNTS, RESULT_STATUSES, type ResultStatus } from "../execution/run/events.ts";

const time = z.iso.datetime();
const line = z.int().nullable();
const count = z.int();
const counts = z.partialRecord(z.enum(RESULT_STATUSES), count);

/** What a host is shown as: the worst of what happened there. From worst to best. */
export const HOST_STATUSES = ["unreachable", "failed", "changed", "ok", "skipped"] as const;
export type HostStatus = (typeof HOST_STATUSES)[number];

/** A run as far as it has told something. */
export interface RunResults {
  plays: number;
  play_tasks: number;
  hosts: number;
  results: number;
  counts: Partial<Record<ResultStatus, number>>;
  start: string;
  end: string;
  /** Whether Ansible came to its recap: where it did not, and the task has ended, results end there. */
  complete: boolean;
  /** Events that never came, because reading them would have held up the play. */
  lost: number;
  /** Messages and differences that are too long to be kept. */
  cut: number;
}

export const runHostSchema = z.object({
  /** Counts from 1 within the run. */
  id: count,
  name: z.string(),
  status: z.enum(HOST_STATUSES),
  ...Object.fromEntries(RECAP_COUNTS.map((name) => [name, count])) as Record<
    (typeof RECAP_COUNTS)[number],
    typeof count
  >,
  start: time,
  end: time,
  /** Time that its results took together. */
  duration_ms: count,
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
  host_id: count,
  host: z.string(),
  status: z.enum(RESULT_STATUSES),
  changed: z.boolean(),
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

/** The same change on some hosts. */
export interface Change {
  play_task_id: number;
  /** Empty where nobody knows what has changed. */
  diff: string;
  host_ids: number[];
  /** How many hosts there are besides. */
  more: number;
}

/** What a line of the output belongs to. */
export interface LinePlace {
  play_id: number;
  play_task_id: number;
  host_id: number | null;
}

/** One sign a status, for many of them in a row; "." stands for no result. */
export const STATUS_SIGNS: Record<ResultStatus, string> = {
  ok: "o",
  changed: "c",
  skipped: "s",
  failed: "f",
  unreachable: "u",
  rescued: "r",
  ignored: "i",
  included: "n",
};

/** The worst that a host's recap tells. */
export function hostStatus(recap: Record<(typeof RECAP_COUNTS)[number], number>): HostStatus {
  const found = HOST_STATUSES.find((status) => recap[status] > 0);
  return found ?? "ok";
}

/** Hosts with the worst ones first, and else by name. */
export const worstFirst = (hosts: RunHost[]): RunHost[] =>
  hosts.toSorted((a, b) =>
    HOST_STATUSES.indexOf(a.status) - HOST_STATUSES.indexOf(b.status) ||
    a.name.localeCompare(b.name, "en", { numeric: true })
  );
