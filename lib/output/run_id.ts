/**
 * Returns the id under which the results of a task's preview are stored. The results of the task
 * itself are stored under its own id.
 */
export const previewOf = (taskId: number): number => -taskId;

/** Returns the id of a task's results or, with `preview`, of its preview's results. */
export const runOf = (taskId: number, preview = false): number =>
  preview ? previewOf(taskId) : taskId;

/** Chooses between the results of a task and those of its preview. */
export interface WhichRun {
  /** Whether the preview's results are meant. */
  preview?: boolean;
}
