/** All statuses of a task, in the order in which it may pass through them. */
export const STATUSES = [
  "waiting",
  "waiting_confirmation",
  "confirmed",
  "starting",
  "running",
  "stopping",
  "stopped",
  "success",
  "error",
] as const;
export type Status = (typeof STATUSES)[number];
/** Statuses of a task that has ended. */
export type FinalStatus = "stopped" | "success" | "error";

/** Steps that may follow each status. No other code decides this. Finished tasks stay finished. */
const NEXT: Record<Status, readonly Status[]> = {
  waiting: ["starting", "stopped", "error"],
  waiting_confirmation: ["confirmed", "stopped", "error"],
  confirmed: ["starting", "stopped", "error"],
  // An input has changed since the approval.
  starting: ["running", "waiting_confirmation", "stopping", "stopped", "error"],
  // A preview waits for its confirmation.
  running: ["waiting_confirmation", "stopping", "stopped", "success", "error"],
  // A forced stop may follow a normal one.
  stopping: ["stopping", "stopped", "error"],
  stopped: [],
  success: [],
  error: [],
};

/** Whether a task may begin in this status: in the queue, or finished elsewhere. */
export const isFirstStatus = (as: Status): boolean => as.startsWith("waiting") || isFinished(as);

export const mayBecome = (from: Status, to: Status): boolean => NEXT[from].includes(to);

/** Whether this status is final. */
export const isFinished = (status: Status): boolean => NEXT[status].length === 0;

/** Whether more output may follow without anyone's decision. */
export const mayFollow = (status: Status): boolean =>
  !isFinished(status) && status !== "waiting_confirmation";

/** Whether the dispatcher may take a task in this status. */
export const isQueued = (status: Status): boolean => status === "waiting" || status === "confirmed";

/** Whether a task in this status takes one of the slots for running tasks. */
export const isActive = (status: Status): boolean =>
  status === "starting" || status === "running" || status === "stopping";
