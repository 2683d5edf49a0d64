import type { HostRecap } from "../execution/run/events.ts";

/** What one run did on a host, in short. */
interface HostMark {
  task: number;
  /** 0 is the worst: see `HOST_STATUSES`. */
  severity: number;
  /** How many results changed something. */
  changed: number;
  /** When the host was done; milliseconds since the epoch. */
  ended: number;
  /** Whether the run came to its end, and this host with it. */
  good: boolean;
}

/** What one run did on a host. */
export interface HostRunRow extends HostMark, HostRecap {
  /** The host's number within the run. */
  host: number;
  began: number;
  /** Time that its results took together. */
  busy_ms: number;
  /** Whether Ansible came to its recap; not in rows of earlier versions. */
  complete?: boolean;
}

/** A host that runs of a project have reached. */
export interface ProjectHostRow {
  name: string;
  /** Its newest runs by the tasks' numbers, newest first: `MARKS_MAX` of them at most. */
  marks: HostMark[];
  /** The newest good one, however old. */
  last_good: HostMark | null;
}

export const MARKS_MAX = 20;

/** Of a name, as it stands in keys. Ansible's own hosts have 253 at most. */
const NAME_BYTES_MAX = 500;
const encoder = new TextEncoder();

/** Whether a host can have a row and an address of its own. */
export const isKept = (name: string): boolean =>
  name.isWellFormed() && !["", ".", ".."].includes(name) &&
  encoder.encode(name).length <= NAME_BYTES_MAX;

export const markOf = (
  { task, severity, changed, ended, good }: HostRunRow,
): HostMark => ({ task, severity, changed, ended, good });

/** The host with one more run, in its place by the task's number. */
export function withMark(row: ProjectHostRow, mark: HostMark): ProjectHostRow {
  const others = row.marks.filter(({ task }) => task !== mark.task);
  const marks = [mark, ...others].toSorted((a, b) => b.task - a.task).slice(0, MARKS_MAX);
  const isNewestGood = mark.good && mark.task > (row.last_good?.task ?? 0);
  return { ...row, marks, last_good: isNewestGood ? mark : row.last_good };
}

/** What hosts are listed by. */
export const HOST_ORDERS = ["name", "status", "run"] as const;
export type HostOrder = (typeof HOST_ORDERS)[number];
export type HostRank = string | number;

const RANK_LENGTH_MAX = 600;

/** What a name is sorted by: numbers in it by their value, and capitals as if they were none. */
export const nameRank = (name: string): string =>
  name.toLowerCase().replace(/\d{1,9}/g, (digits) => digits.padStart(9, "0"))
    .slice(0, RANK_LENGTH_MAX).toWellFormed();

/** What a host is sorted by in an order: states from the worst, and runs by their numbers. */
export function rankOf({ name, marks: [last] }: ProjectHostRow, order: HostOrder): HostRank {
  if (order === "name") return nameRank(name);
  return order === "status" ? last.severity : last.task;
}
