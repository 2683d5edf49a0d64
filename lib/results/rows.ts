import { type HostRecap, RESULT_STATUSES, type ResultStatus } from "../execution/run/events.ts";

/**
 * What is stored of a run. Plays, play tasks and hosts are counted from 1 in the order in which they
 * appeared. Times are milliseconds since the epoch, lines those of the task's output.
 */
export interface ResultHead {
  began: number;
  ended: number;
  plays: number;
  tasks: number;
  hosts: number;
  results: number;
  /** How many results there are of each status. */
  counts: Partial<Record<ResultStatus, number>>;
  /** Events that never came, or that there was no room for. */
  lost: number;
  /** Texts and differences that there was no room for. */
  cut: number;
  /** Whether Ansible came to its recap. */
  complete: boolean;
  /** Full results that there was no room for; none in rows of earlier versions. */
  full_dropped?: number;
  /** Of a run in check mode: where its play asks for that. Unknown in rows of earlier versions. */
  check_mode?: string[];
}

export interface PlayRow {
  id: number;
  name: string;
  began: number;
  ended: number;
  line: number | null;
}

/** A task of a play, as often as it was run in it. */
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
  /** Where it was announced, and the last line that was printed for it. */
  line: number | null;
  last_line: number | null;
  counts: Partial<Record<ResultStatus, number>>;
  /** The host that took longest. */
  slowest: { host: number; ms: number } | null;
  /** Hosts on which check mode could not tell; none in rows of earlier versions. */
  unchecked?: number;
  /** Hosts on which a run in check mode has carried it out, and those of them that it changed. */
  carried_out?: number;
  carried_out_changed?: number;
}

export interface HostRow extends HostRecap {
  id: number;
  name: string;
  began: number;
  ended: number;
  /** Time that its results took together. */
  busy_ms: number;
  /** How many of `changed` a run in check mode has really changed. */
  carried_out?: number;
}

/** Result of a play task on a host; texts and differences are numbered from 1, 0 stands for none. */
export interface Cell {
  status: ResultStatus;
  /** Since the run began. */
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
  /** Number of what its module answered; 0 where that is not kept. */
  full: number;
}

/** What a result says in words. */
export interface ResultText {
  message: string;
  delegated_to: string;
  items: { status: string; label: string; message: string }[];
}

/** Who changed alike in a play task. */
export interface ChangeRow {
  hosts: number[];
  /** Those of them where a run in check mode has carried it out. */
  done?: number[];
  /** How many there are besides. */
  more: number;
}

/** How many plays, play tasks or hosts are in a row; a row of cells is of so many by so many. */
export const BAND = 32;
export const bandOf = (id: number): number => Math.floor((id - 1) / BAND);
const placeInBand = (id: number): number => (id - 1) % BAND;

/** How many play tasks a row of states is of; its hosts are a band. */
export const STATES = 1024;
export const statesOf = (task: number): number => Math.floor((task - 1) / STATES);

export const cellPlace = (task: number, host: number): number =>
  placeInBand(task) * BAND + placeInBand(host);
export const statePlace = (task: number, host: number): number =>
  placeInBand(host) * STATES + (task - 1) % STATES;

export const statusCode = (status: ResultStatus): number => RESULT_STATUSES.indexOf(status) + 1;
/** Null for the code of none. */
export const statusOfCode = (code: number): ResultStatus | null =>
  RESULT_STATUSES[code - 1] ?? null;
