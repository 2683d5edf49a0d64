import type { Reason } from "../base/reason.ts";

/** Hosts that have stopped or begun to match the description of a template. */
export interface DriftedHosts {
  event: "drifted" | "back_to_normal";
  template_id: number;
  /** The check that has found it. */
  task_id: number;
  /** The first names of the hosts. */
  hosts: string[];
  /** Number of hosts. */
  count: number;
  /** Number of hosts of the template that differ now. */
  left: number;
  /** Ansible tasks that these need, with their number, most first. */
  differing: { play_task: string; hosts: number }[];
  /** Why Ansible tasks were not checked, once for each, with their first host. */
  unchecked: Reason[];
}

/** Number of Ansible tasks of each kind in an alert. */
export const ALERT_TASKS_MAX = 10;

/** The same for programs that get a message. */
export interface ReportedDrift extends Omit<DriftedHosts, "event"> {
  template_name: string;
}
