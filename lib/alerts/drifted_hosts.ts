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
}

/** The same for programs that get a message. */
export interface ReportedDrift extends Omit<DriftedHosts, "event"> {
  template_name: string;
}
