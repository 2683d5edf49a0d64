import type { Sentence } from "../base/errors.ts";
import type { Told } from "../base/told.ts";
import type { ResultStatus } from "../execution/run/events.ts";
import type { CommitsBetween } from "../execution/git/history.ts";
import type { TaskRow } from "../tasks/schema.ts";

/** Two runs of one template: what a part of a comparison is made of. */
export interface Pair {
  /** The one that is asked about. */
  run: TaskRow;
  /** What it is compared with. */
  base: TaskRow;
}

/** Something that a run was given or came to, as it was in both runs. */
export interface Fact {
  /** The locale key of what it is called; of an answer, its name. */
  label: string;
  isAnswer?: boolean;
  /** Texts, sentences or times; empty where there was none. */
  run: FactValue;
  base: FactValue;
  differs: boolean;
}
export type FactValue = Told | { ms: number } | { time: string };

/** A change of the template between the two. */
export interface TemplateChange {
  time: string;
  /** Who made it; null where nobody signed in did. */
  by: string | null;
}

/** The commits between; `reason` tells why there are none. */
export interface CommitsPart extends CommitsBetween {
  reason: Sentence | null;
  /** Whether to fetch the history would help, and the reader may. */
  mayFetch: boolean;
}

/** A play task, as `taskName` shows it. */
interface NamedTask {
  name: string;
  role: string;
  action: string;
}

/** How a play task ended on a host. */
export interface Ended {
  status: ResultStatus;
  /** Id of the result. */
  result: number;
  /** Why it failed, where a group's worst difference did; cut. */
  message?: string;
}

/** A play task that ended otherwise on a host; null where the run did not come to it there. */
export interface OutcomeDifference extends NamedTask {
  run: Ended | null;
  base: Ended | null;
}

interface SomeTasks {
  count: number;
  first: OutcomeDifference | null;
}

/** Hosts on which the same tasks ended otherwise in the same way. */
export interface HostGroup {
  /** Some of them, with their ids in both runs, and how many there are besides. */
  hosts: { name: string; run: number; base: number }[];
  more: number;
  /** From 0, the worst. */
  rank: number;
  /** As it was on the first of the hosts; the worst first. */
  differences: OutcomeDifference[];
  moreDifferences: number;
  /** What one run alone came to, without anything bad: after a failure, all that would have followed. */
  onlyRun: SomeTasks;
  onlyBase: SomeTasks;
}

/** Some hosts, with their ids in their run, and how many there are besides. */
export interface SomeHosts {
  hosts: { id: number; name: string }[];
  more: number;
}

/** What a play task took in both runs. */
export interface TaskDuration extends NamedTask {
  run: TakenTime;
  base: TakenTime;
}
interface TakenTime {
  /** Id of the play task. */
  task: number;
  ms: number;
  /** How many hosts it ended on. */
  hosts: number;
}

export interface ResultDifferences {
  /** Why what a run told is not all that it did, by the run's id. */
  gaps: { id: number; gap: Sentence }[];
  /** How many hosts both came to, on how many of them something differs, and how many are too many. */
  hosts: number;
  different: number;
  notCompared: number;
  groups: HostGroup[];
  /** Hosts of groups that are not told. */
  moreHosts: number;
  /** Hosts that one run alone came to. */
  onlyRun: SomeHosts;
  onlyBase: SomeHosts;
  durations: TaskDuration[];
  moreDurations: number;
}

/** What both runs did; null where one of them told nothing: `untold` has its id. */
export interface ResultsPart {
  untold: number[];
  told: ResultDifferences | null;
}
