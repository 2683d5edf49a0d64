import type { LineRange } from "../log/marks.ts";
import type { FullResult } from "./full_result.ts";

/**
 * How a play task can end on a host. `included` is an include that was carried out, which the recap
 * counts for each file that was found.
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

/** What Ansible counts on one host, in Ansible's own words. */
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

/** One item of a loop that did more than nothing. */
interface ItemResult {
  status: "ok" | "changed" | "failed" | "skipped";
  label: string;
  message: string;
}

export interface HostResult {
  type: "result";
  /** Of the play task, within its play. */
  uuid: string;
  host: string;
  status: ResultStatus;
  changed: boolean;
  /** Milliseconds since the epoch. */
  began: number;
  ended: number;
  /** How many items a loop had: ok, changed, failed, skipped. */
  items: [number, number, number, number] | null;
  /** What `no_log` hides is not there. */
  hidden: boolean;
  /** Check mode has left it out, or a part of it: what it would do is not known. */
  unchecked: boolean;
  /** A run in check mode has carried it out all the same, or a part of it: `check_mode: false`. */
  carriedOut: boolean;
  /** Where it was carried out, when that is another host; else empty. */
  delegatedTo: string;
  message: string;
  /** The first of them, failed ones in front. */
  itemResults: ItemResult[];
  /** Of what changed, in diff mode; null without it. */
  diff: string | null;
  /** Characters before and after, without diff mode. */
  diffSize: number;
  lines: LineRange | null;
  /** All that the module answered; null where there was no room, missing where it is not told. */
  full?: FullResult | null;
}

/** What a run of Ansible tells, masked and bounded; times are milliseconds since the epoch. */
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
  /** Something of a result that comes later was printed. */
  | { type: "line"; uuid: string; host: string; lines: LineRange | null }
  | HostResult
  /** Facts that a play has gathered of a host; null where they are too many. */
  | { type: "facts"; host: string; facts: FullResult | null }
  /** A file or role was included for these hosts: ok in the recap. */
  | { type: "include"; hosts: string[] }
  /** Ansible's own recap. */
  | { type: "recap"; hosts: Map<string, HostRecap> }
  /** So many events came damaged, or were never made by the callback. */
  | { type: "lost"; count: number }
  /** The playbook came to its end; so many events got lost. */
  | {
    type: "end";
    at: number;
    lost: number;
    /** Of a run in check mode: the places where its play asks for that. */
    checkMode?: string[];
  };
