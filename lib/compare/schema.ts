import type { Sentence } from "../base/errors.ts";
import type { Told } from "../base/told.ts";
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
