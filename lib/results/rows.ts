/*
 * The life of a result, from the callback to the matrix: see docs/decisions/0037. It has four
 * shapes: the event (`HostResult` of `lib/execution/run/`), the stored row (`Cell`, with its texts
 * in `ResultText`), the result of readers (`HostResultView`, `FullHostResult`), and one letter in
 * the matrix (`MatrixData`). The event is checked, masked and named in one step when it is read.
 * `writer.ts` stores events twice a second in the commits of the output, because only the server
 * that writes a task's log may store its results. `collector.ts` makes rows of them, and
 * `packing.ts` is the encoding of cells. Readers find rows through `result_store.ts`, and
 * `view.ts` turns them into answers. The matrix skips that shape and reads one byte for each
 * result.
 */

import { type HostRecap, RESULT_STATUSES, type ResultStatus } from "../execution/run/events.ts";

/**
 * Stored results of one execution of a task, which may be its preview. Plays, Ansible tasks and
 * hosts count from 1 in order of appearance. Times are milliseconds since the epoch. Lines are
 * those of the task's output.
 */
export interface ResultHead {
  began: number;
  ended: number;
  plays: number;
  tasks: number;
  hosts: number;
  results: number;
  /** Number of results of each status. */
  counts: Partial<Record<ResultStatus, number>>;
  /** Number of events that were lost, or for which there was no room. */
  lost: number;
  /** Number of texts and differences for which there was no room. */
  cut: number;
  /** Whether Ansible reached its recap. */
  complete: boolean;
  /** Set if a play has ended before its last task, even for hosts that had not failed. */
  ended_early?: true;
  /** Number of full results for which there was no room; missing for none. */
  full_dropped?: number;
  /** In check mode: positions where the play depends on check mode; missing if not known. */
  check_mode?: string[];
}

export interface PlayRow {
  id: number;
  name: string;
  began: number;
  ended: number;
  line: number | null;
}

/** An Ansible task. It has another row for each time that it runs in its play. */
export interface PlayTaskRow {
  id: number;
  play: number;
  uuid: string;
  name: string;
  action: string;
  role: string;
  path: string;
  path_line: number;
  handler: boolean;
  began: number;
  ended: number;
  /** Line of its announcement, and the last line that was printed for it. */
  line: number | null;
  last_line: number | null;
  counts: Partial<Record<ResultStatus, number>>;
  /** The slowest host. */
  slowest: { host: number; ms: number } | null;
  /** Number of hosts on which check mode could not predict the result; missing for none. */
  unchecked?: number;
  /**
   * Number of hosts on which it was executed in spite of check mode, and number of those it
   * changed.
   */
  carried_out?: number;
  carried_out_changed?: number;
}

export interface HostRow extends HostRecap {
  id: number;
  name: string;
  began: number;
  ended: number;
  /** Total time of its results. */
  busy_ms: number;
  /** How many of `changed` were really changed in spite of check mode. */
  carried_out?: number;
  /** Number of results that check mode could not predict; missing for none. */
  unchecked?: number;
}

/**
 * Result of an Ansible task on a host. Texts and differences are numbered from 1; 0 stands for
 * none.
 */
export interface Cell {
  status: ResultStatus;
  /** Milliseconds since the execution began. */
  began: number;
  ms: number;
  line: number | null;
  last_line: number | null;
  hidden: boolean;
  changed: boolean;
  unchecked: boolean;
  carried_out: boolean;
  items: [ok: number, changed: number, failed: number, skipped: number] | null;
  text: number;
  diff: number;
  diff_size: number;
  /** Number of the module's answer; 0 if it is not stored. */
  full: number;
}

/** The texts of a result. */
export interface ResultText {
  message: string;
  delegated_to: string;
  items: { status: string; label: string; message: string }[];
}

/** Hosts with the same change in an Ansible task. */
export interface ChangeRow {
  hosts: number[];
  /** Those of the hosts that were changed in spite of check mode. */
  done?: number[];
  /** Number of further hosts. */
  more: number;
}

/**
 * A row to be stored: its kind and numbers as parameters of `rowKeys.taskResultRow`, and its value.
 */
export interface Row {
  at: [kind: string, ...n: number[]];
  value: unknown;
  /** Approximate bytes that it takes in a commit. */
  bytes: number;
}

/**
 * Number of plays, Ansible tasks or hosts in a row. A row of cells has this number in both
 * dimensions.
 */
export const BAND = 32;
export const bandOf = (id: number): number => Math.floor((id - 1) / BAND);
const placeInBand = (id: number): number => (id - 1) % BAND;

/** Number of Ansible tasks in a row of states, which covers one band of hosts. */
export const STATES = 1024;
export const statesOf = (task: number): number => Math.floor((task - 1) / STATES);

export const cellIndex = (task: number, host: number): number =>
  placeInBand(task) * BAND + placeInBand(host);
export const stateIndex = (task: number, host: number): number =>
  placeInBand(host) * STATES + (task - 1) % STATES;

export const statusCode = (status: ResultStatus): number => RESULT_STATUSES.indexOf(status) + 1;
/** Returns the status of a code; null if the code stands for no result. */
export const statusOfCode = (code: number): ResultStatus | null =>
  RESULT_STATUSES[code - 1] ?? null;

/** More than the maximum number of hosts. */
const HOSTS = 100_000;

/** Returns the id of an Ansible task's result on a host. */
export const resultId = (task: number, host: number): number => task * HOSTS + host;
export const positionOfId = (id: number) => [Math.floor(id / HOSTS), id % HOSTS] as const;
