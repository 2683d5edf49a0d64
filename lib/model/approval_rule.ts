import type { Sentence } from "../base/errors.ts";

/** Result of an approval. */
export type Outcome = "approved" | "rejected";

/** The rule of an approval. Without roles and people, everyone who may run tasks can vote. */
export interface ApprovalRule {
  /** Slugs of roles. */
  roles: string[];
  user_ids: number[];
  /** Number of different people who must approve. */
  needed: number;
  /** Whether the person who started it may not vote. */
  not_starter: boolean;
  /** Whether the last people who changed what is to be approved may not vote. */
  not_editor: boolean;
  /** Null to wait without a limit. */
  timeout_minutes: number | null;
  on_timeout: Outcome;
  message: string;
}

/** The approval that a task needs, with the rule of its template at the start. */
export interface TaskApproval extends ApprovalRule {
  /** Number of people who have approved. */
  approved: number;
  /** End of the time limit; null until the task waits, and without a limit. */
  until: string | null;
  /** The last account that changed the template before the start; null for none. */
  editor_id: number | null;
  /** Reason why it is asked for again. */
  again?: Sentence;
}
