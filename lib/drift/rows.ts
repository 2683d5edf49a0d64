import { nameRank } from "../hosts/rows.ts";
import { SHOWN_STATES, type ShownState } from "./state.ts";
import type { AcceptedRow, DriftRow } from "../model/drift_row.ts";

export const CHANGES_MAX = 20;

/** Number of states by how lists show them. */
export type DriftCounts = Record<ShownState, number>;

export const noCounts = (): DriftCounts => ({
  would_change: 0,
  not_reached: 0,
  unknown: 0,
  accepted: 0,
  as_described: 0,
});

/** A check in the strip of a template. */
interface StripCheck {
  task_id: number;
  /** Milliseconds since the epoch. */
  at: number;
  counts: DriftCounts;
  /** Whether it had results of all hosts. */
  complete: boolean;
}

export const STRIP_MAX = 30;

/** Number of tasks in `begun`. A value of the store has 64 KiB at most. */
export const BEGUN_MAX = 200;

/** Number of Ansible tasks in `differing`. */
const DIFFERING_MAX = 100;

/** Hosts whose state began to matter or ended to, for one alert. */
export interface ChangedHosts {
  count: number;
  /** The first ones. */
  hosts: string[];
}

/** The checks of a template, and the states of its hosts. */
export interface DriftSummary {
  counts: DriftCounts;
  /** Time of the end of the latest check, in milliseconds since the epoch, and its task. */
  checked: number;
  task_id: number;
  commit: string | null;
  /** The latest check that had results of all hosts; null if none had. */
  complete_id: number | null;
  /** Latest checks, oldest first. */
  strip: StripCheck[];
  /** Latest tasks in which hosts that still differ began to, with the time and their number. */
  begun: Record<string, { at: number; count: number }>;
  /** Tasks up to this one are no longer in `begun`. */
  begun_after?: number;
  /** Ansible tasks that hosts still need, with their number; missing for none. */
  differing?: { play_task: string; hosts: number }[];
}

export const newSummary = (): DriftSummary => ({
  counts: noCounts(),
  checked: 0,
  task_id: 0,
  commit: null,
  complete_id: null,
  strip: [],
  begun: {},
});

/** Hosts of a check that a later task has changed, one bit for each of their numbers. */
export interface ResolvedRow {
  task_id: number;
  bits: Uint8Array;
}

/** Returns how lists show a state. */
export const shownState = ({ state, accepted }: Pick<DriftRow, "state" | "accepted">): ShownState =>
  state === "would_change" && accepted ? "accepted" : state;

const severityOfState = (state: ShownState): number => SHOWN_STATES.indexOf(state);

/** Position of a state in the lists that show the worst first. */
export const driftPosition = (row: DriftRow): Deno.KvKey => [
  severityOfState(shownState(row)),
  nameRank(row.host),
  row.host,
  row.template_id,
];

/** Counts the hosts that still differ by the Ansible tasks that they need. */
export function countDiffering(summary: DriftSummary, row: DriftRow | null, by: number): void {
  if (!row || shownState(row) !== "would_change") return;
  const all = summary.differing ?? [];
  for (const play_task of row.change_tasks ?? []) {
    const found = all.find((one) => one.play_task === play_task);
    if (found) found.hosts += by;
    else if (by > 0 && all.length < DIFFERING_MAX) all.push({ play_task, hosts: by });
  }
  summary.differing = all.filter(({ hosts }) => hosts > 0);
}

/** Returns the Ansible tasks that hosts still need, with the number of these hosts, most first. */
export const differingOf = ({ differing = [] }: DriftSummary) =>
  differing.toSorted((a, b) => b.hosts - a.hosts);

/** Maximum number of names of hosts in an alert. */
const NAMED_MAX = 20;

/** Returns the hosts with one more. */
export const withHost = (
  { count, hosts }: ChangedHosts = { count: 0, hosts: [] },
  host: string,
): ChangedHosts => ({
  count: count + 1,
  hosts: hosts.length < NAMED_MAX ? [...hosts, host] : hosts,
});

/** Whether an accepted difference covers the changes of a later check. */
export const isCovered = (
  { changes, change_ids }: Pick<DriftRow, "changes" | "change_ids">,
  accepted: AcceptedRow,
): boolean =>
  changes <= accepted.changes && change_ids.every((id) => accepted.change_ids.includes(id));
