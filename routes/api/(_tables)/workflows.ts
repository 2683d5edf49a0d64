import { makeOnceByKey } from "@/lib/access/sent_forms.ts";
import { workflowOperations } from "@/lib/workflows/operations.ts";
import { runAgain } from "@/lib/workflows/runs/again.ts";
import { runValues } from "@/lib/workflows/runs/artifacts.ts";
import { compareWorkflowRuns } from "@/lib/workflows/runs/compare.ts";
import { readRunStats } from "@/lib/workflows/runs/trends.ts";
import { listProjectRuns } from "@/lib/workflows/runs/history.ts";
import { startRun } from "@/lib/workflows/runs/start.ts";
import { stopRun } from "@/lib/workflows/runs/stop.ts";
import { getRun, getRunSummary, listRuns } from "@/lib/workflows/runs/view.ts";
import { listRunApprovals, vote } from "@/lib/workflows/runs/vote.ts";
import {
  createWorkflow,
  deleteWorkflow,
  getWorkflow,
  listWorkflows,
  updateWorkflow,
  workflowReferences,
} from "@/lib/workflows/service.ts";
import { paged } from "@/lib/web/api/answer.ts";
import { bind } from "@/lib/web/api/bind.ts";

export const workflows = bind(workflowOperations, {
  list: ({ scope }) => listWorkflows(scope),
  create: ({ scope, body }) => createWorkflow(scope, body),
  get: ({ scope, ids }) => getWorkflow(scope, ids.workflowId),
  update: ({ scope, ids, body, expected }) => updateWorkflow(scope, ids.workflowId, body, expected),
  delete: ({ scope, ids, expected }) => deleteWorkflow(scope, ids.workflowId, expected),
  references: ({ scope, ids }) => workflowReferences(scope, ids.workflowId),
  run: ({ scope, ids, body, keyed }) =>
    makeOnceByKey(
      scope,
      keyed,
      (also) => startRun(scope, ids.workflowId, body, { also }),
      (id) => getRunSummary(scope, id),
    ),
  runs: ({ scope, ids, query }) => listRuns(scope, ids.workflowId, query),
  async allRuns({ scope, query }) {
    const { runs, hasNext } = await listProjectRuns(scope, query);
    return paged(runs, hasNext);
  },
  stats: ({ scope, ids, query }) => readRunStats(scope, ids.workflowId, query),
  compare: ({ scope, ids, query }) =>
    compareWorkflowRuns(scope, ids.workflowId, ids.runId, query.base),
  getRun: ({ scope, ids }) => getRun(scope, ids.workflowId, ids.runId),
  stop: ({ scope, ids, body }) => stopRun(scope, ids.workflowId, ids.runId, body.force),
  again: ({ scope, ids, body, keyed }) =>
    makeOnceByKey(
      scope,
      keyed,
      (also) => runAgain(scope, ids.workflowId, ids.runId, body, also),
      (id) => getRunSummary(scope, id),
    ),
  artifacts: ({ scope, ids }) => runValues(scope, ids.workflowId, ids.runId),
  approvals: ({ scope, ids }) => listRunApprovals(scope, ids.workflowId, ids.runId),
  vote: ({ scope, ids, body }) => vote(scope, ids.workflowId, ids.runId, ids.stepId, body),
});
