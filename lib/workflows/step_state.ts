/** States of a step. It is "waiting" for a vote, or until its time. */
export const STEP_STATES = [
  "pending",
  "running",
  "waiting",
  "success",
  "failed",
  "skipped",
  "stopped",
] as const;
export type StepState = (typeof STEP_STATES)[number];

/** States in which a step stays. */
export const STEP_ENDS = ["success", "failed", "skipped", "stopped"] as const;
export type FinalState = (typeof STEP_ENDS)[number];

/** Whether a step has ended. */
export const isEnded = (state: StepState): state is FinalState =>
  state !== "pending" && state !== "running" && state !== "waiting";

/** Statuses in which a run stays. */
export const FINAL_STATUSES = ["success", "failed", "stopped"] as const;

/**
 * Statuses of a run. "approval" means that nothing runs and someone must approve or confirm; other
 * clients know it by this name.
 */
export const RUN_STATUSES = ["running", "approval", ...FINAL_STATUSES] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];
