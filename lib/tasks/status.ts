/** Every state of a task, in the order a task may pass through them. */
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

/** Which step may follow which: the only place that says so. What ended stays ended. */
const NEXT: Record<Status, readonly Status[]> = {
  waiting: ["starting", "stopped", "error"],
  waiting_confirmation: ["confirmed", "stopped", "error"],
  confirmed: ["starting", "stopped", "error"],
  starting: ["running", "stopping", "stopped", "error"],
  // What was only a preview waits to be confirmed.
  running: ["waiting_confirmation", "stopping", "stopped", "success", "error"],
  // A forced stop may follow the polite one.
  stopping: ["stopping", "stopped", "error"],
  stopped: [],
  success: [],
  error: [],
};

/** How a task begins here: in the queue, or with the end that it came to elsewhere. */
export const mayBegin = (as: Status): boolean => as.startsWith("waiting") || isFinished(as);

export const mayBecome = (from: Status, to: Status): boolean => NEXT[from].includes(to);

/** Whether a task in this state has its definite end. */
export const isFinished = (status: Status): boolean => NEXT[status].length === 0;

/** Whether the dispatcher may take a task in this state. */
export const isQueued = (status: Status): boolean => status === "waiting" || status === "confirmed";

/** Whether a task in this state holds a place among the running ones. */
export const isActive = (status: Status): boolean =>
  status === "starting" || status === "running" || status === "stopping";
