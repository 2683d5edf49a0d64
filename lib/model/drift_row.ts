/** Whether a host is as a template describes it. */
export type DriftState = "as_described" | "would_change" | "unknown" | "not_reached";

/** A difference of a host that someone has accepted. Times are milliseconds since the epoch. */
export interface AcceptedRow {
  until: number;
  note: string;
  /** The account that accepted it, and its name at that time. */
  by: number | null;
  by_name: string;
  at: number;
  /** The changes that are accepted. Any other one ends it. */
  changes: number;
  change_ids: string[];
}

/** The first Ansible task of a check that leaves the state of a host unknown, wholly or in part. */
export interface UncheckedRow {
  /** Check mode left it out, it failed, or the play depends on check mode. */
  why: "no_check_mode" | "failed" | "depends";
  play_task: string;
  action: string;
  /** Its position in the repository; empty and 0 if not known. */
  file: string;
  file_line: number;
  /** Line of the output. */
  line: number | null;
  /** Ansible's message, if it failed. */
  message: string;
}

/** State of a host for a template. Times are milliseconds since the epoch. */
export interface DriftRow {
  host: string;
  template_id: number;
  state: DriftState;
  /** Time of the first observation in this state, and the task that made it. */
  since: number;
  since_task: number;
  /** Time of the latest observation. */
  checked: number;
  /** Time of the first observation in any state. */
  first_checked: number;
  /** Time at which it was last as described; null if it never was. */
  last_described: number | null;
  /** The task that observed the state, and the latest check that included the host. */
  task_id: number;
  check_id: number;
  /** The host's number in that check. */
  host_id: number;
  commit: string | null;
  /** Number of Ansible tasks that would change it. */
  changes: number;
  /** Identify the changes. The last one of `CHANGES_MAX` stands for all further ones. */
  change_ids: string[];
  /** Names of the Ansible tasks that would change it; missing for none. */
  change_tasks?: string[];
  /** Whether some of it could not be checked. */
  partial: boolean;
  /** The first Ansible task that could not be checked; missing if there is none. */
  unchecked?: UncheckedRow;
  /** Number of Ansible tasks that check mode left out; missing for none. */
  left_out?: number;
  /** Whether an alert has said that it differs, and none that it matches again. */
  told: boolean;
  /** Whether the next check that finds a difference reports it again: it was accepted meanwhile. */
  tell_again?: boolean;
  /** The latest task with which it stopped or began to match. */
  turned_by?: number;
  accepted?: AcceptedRow;
  /** The automatic fix since it was last as described. There is no other one until it is again. */
  auto_fix?: number;
}
