import type { LineRange } from "../log/markers.ts";
import type { FullResult } from "./full_result.ts";

/**
 * Results of an Ansible task on a host. `included` is an include that was carried out, which the
 * recap counts for each file that was found.
 */
export const RESULT_STATUSES = [
  "ok",
  "changed",
  "skipped",
  "failed",
  "unreachable",
  "rescued",
  "ignored",
  "included",
] as const;
export type ResultStatus = (typeof RESULT_STATUSES)[number];

/** Ansible's counts for one host, by Ansible's own names. */
export const RECAP_COUNTS = [
  "ok",
  "changed",
  "unreachable",
  "failed",
  "skipped",
  "rescued",
  "ignored",
] as const;
export type HostRecap = Record<(typeof RECAP_COUNTS)[number], number>;

export const emptyRecap = (): HostRecap => ({
  ok: 0,
  changed: 0,
  unreachable: 0,
  failed: 0,
  skipped: 0,
  rescued: 0,
  ignored: 0,
});

/** One item of a loop that changed, failed or was skipped. */
interface ItemResult {
  status: "ok" | "changed" | "failed" | "skipped";
  label: string;
  message: string;
}

export interface HostResult {
  type: "result";
  /** Id of the Ansible task, within its play. */
  uuid: string;
  host: string;
  status: ResultStatus;
  changed: boolean;
  /** Milliseconds since the epoch. */
  began: number;
  ended: number;
  /** Number of items in a loop that were ok, changed, failed and skipped. */
  items: [number, number, number, number] | null;
  /** Whether `no_log` has removed the content. */
  hidden: boolean;
  /** Whether check mode skipped it or a part of it, so that its effect is not known. */
  unchecked: boolean;
  /**
   * Whether check mode carried it out or a part of it all the same, because of `check_mode: false`.
   */
  carriedOut: boolean;
  /** The host that it was delegated to, or empty. */
  delegatedTo: string;
  message: string;
  /** The first items, failed ones in front. */
  itemResults: ItemResult[];
  /** The difference in diff mode, otherwise null. */
  diff: string | null;
  /** Characters before and after, without diff mode. */
  diffSize: number;
  lines: LineRange | null;
  /**
   * Everything that the module returned. Null if there was no room, missing if it is not reported.
   */
  full?: FullResult | null;
}

/** An event of a run of Ansible, masked and bounded. Times are milliseconds since the epoch. */
export type RunEvent =
  | { type: "play"; name: string; free: boolean; at: number; lines: LineRange | null }
  | {
    type: "task";
    uuid: string;
    name: string;
    action: string;
    role: string;
    path: string;
    line: number;
    handler: boolean;
    at: number;
    lines: LineRange | null;
  }
  /** Something was printed for a result that comes later. */
  | { type: "line"; uuid: string; host: string; lines: LineRange | null }
  | HostResult
  /** Facts that a play has gathered about a host, or null if they are too many. */
  | { type: "facts"; host: string; facts: FullResult | null }
  /** An output of the task, reported once and within the limits: see outputs.ts. */
  | { type: "output"; name: string; value: string }
  /** A file or role was included for these hosts, which counts as ok in the recap. */
  | { type: "include"; hosts: string[] }
  /** Ansible's own recap. */
  | { type: "recap"; hosts: Map<string, HostRecap> }
  /** Number of events that arrived damaged or did not come from the callback. */
  | { type: "lost"; count: number }
  /** The end of the playbook, with the number of lost events. */
  | {
    type: "end";
    at: number;
    lost: number;
    /** In check mode, the places where the play reads its mode. */
    checkMode?: string[];
    /** Set if a play has ended before its last task, even for hosts that had not failed. */
    endedEarly?: true;
  };
