import type { HostRecap } from "../execution/run/events.ts";

/** Summary of one task on a host. */
interface HostRunSummary {
  task: number;
  /** 0 is the worst: see `HOST_STATUSES`. */
  severity: number;
  /** Number of results that changed something. */
  changed: number;
  /** Time of the host's last result; milliseconds since the epoch. */
  ended: number;
  /** Whether the task reached its end, and did so without a failure on this host. */
  good: boolean;
}

/** Results of one task on a host. */
export interface HostRunRow extends HostRunSummary, HostRecap {
  /** The host's number within the task. */
  host: number;
  began: number;
  /** Total time of its results. */
  busy_ms: number;
  /** Whether Ansible reached its recap. */
  complete: boolean;
}

/** A host that tasks of a project have reached. */
export interface ProjectHostRow {
  name: string;
  /** Its latest tasks, newest first by number, at most `SUMMARIES_MAX`. */
  marks: HostRunSummary[];
  /** The latest successful one, however old. */
  last_good: HostRunSummary | null;
}

export const SUMMARIES_MAX = 20;

/** Bytes of a name in keys. Ansible's own host names have 253 at most. */
const NAME_BYTES_MAX = 500;
const encoder = new TextEncoder();

/** Whether a host can have a row and an address of its own. */
export const hasAddress = (name: string): boolean =>
  name.isWellFormed() && !["", ".", ".."].includes(name) &&
  encoder.encode(name).length <= NAME_BYTES_MAX;

export const summaryOf = (
  { task, severity, changed, ended, good }: HostRunRow,
): HostRunSummary => ({ task, severity, changed, ended, good });

/** Returns the host with one more task, sorted by the task's number. */
export function withSummary(row: ProjectHostRow, summary: HostRunSummary): ProjectHostRow {
  const others = row.marks.filter(({ task }) => task !== summary.task);
  const marks = [summary, ...others].toSorted((a, b) => b.task - a.task).slice(0, SUMMARIES_MAX);
  const isNewestGood = summary.good && summary.task > (row.last_good?.task ?? 0);
  return { ...row, marks, last_good: isNewestGood ? summary : row.last_good };
}

/** Orders of a list of hosts. */
export const HOST_ORDERS = ["name", "status", "run"] as const;
export type HostOrder = (typeof HOST_ORDERS)[number];
export type HostRank = string | number;

const RANK_LENGTH_MAX = 600;

/** Returns the sort key of a name. Numbers are sorted by value, and case does not matter. */
export const nameRank = (name: string): string =>
  name.toLowerCase().replace(/\d{1,9}/g, (digits) => digits.padStart(9, "0"))
    .slice(0, RANK_LENGTH_MAX).toWellFormed();

/** Returns the sort key of a host in an order: statuses from the worst, and tasks by number. */
export function hostRank({ name, marks: [last] }: ProjectHostRow, order: HostOrder): HostRank {
  if (order === "name") return nameRank(name);
  return order === "status" ? last.severity : last.task;
}
