/** The place of a task in the run of a workflow. */
export interface TaskWorkflow {
  workflow_id: number;
  run_id: number;
  step_id: number;
  /** The account that started the run, or the outermost of nested runs; null for none. */
  starter_id: number | null;
}
