type Key = Deno.KvKey;

/**
 * Rows of the runs of workflows. The workflows themselves are resources of their project.
 *
 * | key | value | why |
 * |---|---|---|
 * | workflow_runs, project, run | RunRow | all runs |
 * | workflow_runs_by, project, workflow, run | true | runs of a workflow, latest last |
 * | workflow_run_history, project, workflow (0: any), starter (0: any; a user; a trigger), status (empty: any), run | true | filters of the list of runs, alone and combined: by starter, and by status once a run has ended |
 * | open_workflow_runs, project, run | workflow id | runs that have not ended |
 * | asking_workflow_runs, project, run | true | runs with a step that waits for approval |
 * | workflow_trends, project, workflow, UTC day, step (0: the whole run), state or "seconds" | number | how many runs of a day and their steps ended with which state, and their duration: see runs/trends.ts |
 * | workflow_definitions, project, workflow, version, n | bytes | steps and questions of the runs of that version; never changed |
 * | workflow_votes, project, run, step, user | Vote | votes about an approval |
 * | workflow_approved, project, run, step, n | bytes | inputs of the steps behind an approval, at its votes: see runs/approved.ts |
 * | workflow_secrets, project, run, n | bytes | encrypted secret answers, until the run has ended |
 * | workflow_runs_stamp | any | changes with each change of a run; watched by relays |
 */
export const workflowKeys = {
  workflowRun: (projectId: number, id: number): Key => ["workflow_runs", projectId, id],
  workflowRuns: (projectId: number): Key => ["workflow_runs", projectId],
  workflowRunBy: (projectId: number, workflowId: number, id: number): Key => [
    "workflow_runs_by",
    projectId,
    workflowId,
    id,
  ],
  workflowRunsBy: (projectId: number, workflowId: number): Key => [
    "workflow_runs_by",
    projectId,
    workflowId,
  ],
  workflowRunsOf: (projectId: number): Key => ["workflow_runs_by", projectId],
  workflowRunHistory: (
    projectId: number,
    workflowId: number,
    starter: number | string,
    status: string,
  ): Key => ["workflow_run_history", projectId, workflowId, starter, status],
  /** Runs of a workflow by starter. 0 stands for any workflow. */
  workflowRunStarters: (projectId: number, workflowId: number): Key => [
    "workflow_run_history",
    projectId,
    workflowId,
  ],
  askingWorkflowRun: (projectId: number, id: number): Key => [
    "asking_workflow_runs",
    projectId,
    id,
  ],
  askingWorkflowRuns: (projectId: number): Key => ["asking_workflow_runs", projectId],
  openWorkflowRun: (projectId: number, id: number): Key => ["open_workflow_runs", projectId, id],
  openWorkflowRuns: (projectId: number): Key => ["open_workflow_runs", projectId],
  workflowTrends: (projectId: number, workflowId: number): Key => [
    "workflow_trends",
    projectId,
    workflowId,
  ],
  workflowTrendsOf: (projectId: number): Key => ["workflow_trends", projectId],
  workflowDefinition: (
    projectId: number,
    workflowId: number,
    version: number,
    n: number,
  ): Key => ["workflow_definitions", projectId, workflowId, version, n],
  workflowDefinitions: (projectId: number, workflowId: number): Key => [
    "workflow_definitions",
    projectId,
    workflowId,
  ],
  workflowVote: (projectId: number, runId: number, stepId: number, userId: number): Key => [
    "workflow_votes",
    projectId,
    runId,
    stepId,
    userId,
  ],
  workflowVotes: (projectId: number, runId: number): Key => ["workflow_votes", projectId, runId],
  workflowApproved: (projectId: number, runId: number, stepId: number, n: number): Key => [
    "workflow_approved",
    projectId,
    runId,
    stepId,
    n,
  ],
  workflowApprovedBy: (projectId: number, runId: number): Key => [
    "workflow_approved",
    projectId,
    runId,
  ],
  workflowSecrets: (projectId: number, runId: number, n: number): Key => [
    "workflow_secrets",
    projectId,
    runId,
    n,
  ],
  workflowRunsStamp: (): Key => ["workflow_runs_stamp"],
};
