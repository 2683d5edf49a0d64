import type { Sentence } from "../base/errors.ts";
import type { SentenceOrText } from "../base/sentence_or_text.ts";
import type { ResultStatus } from "../execution/run/events.ts";
import type { CommitsBetween } from "../execution/git/history.ts";
import type { TaskRow } from "../model/task_row.ts";

/** Two tasks of one template, from which each part of a comparison is created. */
export interface Pair {
  /** The examined task. */
  run: TaskRow;
  /** The task with which it is compared. */
  base: TaskRow;
}

/** An input or outcome in both tasks. */
export interface ComparedFact {
  /** The locale key of the label, or the name of an answer or an output. */
  label: string;
  of?: "answer" | "output";
  /** Texts, sentences or times; empty if there was no value. */
  run: FactValue;
  base: FactValue;
  differs: boolean;
}
export type FactValue = SentenceOrText | { ms: number } | { time: string };

/** A change of the template between the two tasks. */
export interface TemplateChange {
  time: string;
  /** Name of the person who made it; null if it was not a signed-in person. */
  by: string | null;
}

/** The commits between the tasks; `reason` states why there are none. */
export interface CommitsPart extends CommitsBetween {
  reason: Sentence | null;
  /** Whether fetching the history would help, and the reader may do it. */
  mayFetch: boolean;
}

/** An Ansible task, as `taskName` shows it. */
interface NamedTask {
  name: string;
  role: string;
  action: string;
}

/** Result of an Ansible task on a host. */
export interface ComparedEnd {
  status: ResultStatus;
  /** Id of the result. */
  result: number;
  /** Shortened message of the failure, if it is in the worst difference of a group. */
  message?: string;
}

/** An Ansible task with different results on a host; null if there is no result. */
export interface OutcomeDifference extends NamedTask {
  run: ComparedEnd | null;
  base: ComparedEnd | null;
}

interface SomeTasks {
  count: number;
  first: OutcomeDifference | null;
}

/** Hosts on which the same Ansible tasks differ in the same way. */
export interface HostGroup {
  /** Some of the hosts with their ids in both tasks, and the number of further ones. */
  hosts: { name: string; run: number; base: number }[];
  more: number;
  /** From 0, the worst. */
  rank: number;
  /** Differences on the first of the hosts, worst first. */
  differences: OutcomeDifference[];
  moreDifferences: number;
  /**
   * Results without failures that only one task has, such as all results missing after a failure.
   */
  onlyRun: SomeTasks;
  onlyBase: SomeTasks;
}

/** Some hosts with their ids in their task, and the number of further ones. */
export interface SomeHosts {
  hosts: { id: number; name: string }[];
  more: number;
}

/** Durations of an Ansible task in both tasks. */
export interface TaskDuration extends NamedTask {
  run: TakenTime;
  base: TakenTime;
}
interface TakenTime {
  /** Id of the Ansible task. */
  task: number;
  ms: number;
  /** Number of hosts on which it ended. */
  hosts: number;
}

export interface ResultDifferences {
  /** Reasons why the results of a task are incomplete, by the task's id. */
  gaps: { id: number; gap: Sentence }[];
  /**
   * Numbers of hosts that both tasks reached, of different ones among them, and of those not
   * compared.
   */
  hosts: number;
  different: number;
  notCompared: number;
  groups: HostGroup[];
  /** Number of hosts in groups that are not listed. */
  moreHosts: number;
  /** Hosts that only one task reached. */
  onlyRun: SomeHosts;
  onlyBase: SomeHosts;
  durations: TaskDuration[];
  moreDurations: number;
}

/** Results of both tasks; null if one of them, whose id is in `withoutResults`, has none. */
export interface ResultsPart {
  withoutResults: number[];
  differences: ResultDifferences | null;
}
