/**
 * What results are stored under: a task's own id for what it did, and this for what its preview
 * predicted.
 */
export const previewOf = (taskId: number): number => -taskId;

/** What a task did, or with `preview` what its preview predicted. */
export const runOf = (taskId: number, preview = false): number =>
  preview ? previewOf(taskId) : taskId;

/** Of a task that is previewed there are two runs. */
export interface WhichRun {
  /** What its preview predicts, instead of what it did. */
  preview?: boolean;
}
