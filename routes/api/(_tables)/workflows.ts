import { makeOnceByKey } from "@/lib/access/sent_forms.ts";
import { AppError } from "@/lib/base/errors.ts";
import { workflowOperations } from "@/lib/workflows/operations.ts";
import { runAgain } from "@/lib/workflows/runs/again.ts";
import { runValues } from "@/lib/workflows/runs/artifacts.ts";
import { compareWorkflowRuns } from "@/lib/workflows/runs/compare.ts";
import { readRunStats } from "@/lib/workflows/runs/trends.ts";
import { runEnd, runWithTask } from "@/lib/workflows/runs/follow.ts";
import { listProjectRuns } from "@/lib/workflows/runs/history.ts";
import { startRun } from "@/lib/workflows/runs/start.ts";
import { stopRun } from "@/lib/workflows/runs/stop.ts";
import { getRun, getRunSummary, listRuns } from "@/lib/workflows/runs/view.ts";
import { getRunApproval, listRunApprovals, requireVoter, vote } from "@/lib/workflows/runs/vote.ts";
import {
  createWorkflow,
  deleteWorkflow,
  getWorkflow,
  listWorkflows,
  updateWorkflow,
  workflowReferences,
} from "@/lib/workflows/service.ts";
import { waitForEnd } from "@/lib/tasks/waits.ts";
import { paged } from "@/lib/web/api/answer.ts";
import { bind } from "@/lib/web/api/bind.ts";

export const workflows = bind(workflowOperations, {
  list: ({ scope }) => listWorkflows(scope),
  create: ({ scope, body }) => createWorkflow(scope, body),
  get: ({ scope, ids }) => getWorkflow(scope, ids.workflowId),
  update: ({ scope, ids, body, expected }) => updateWorkflow(scope, ids.workflowId, body, expected),
  delete: ({ scope, ids, expected }) => deleteWorkflow(scope, ids.workflowId, expected),
  references: ({ scope, ids }) => workflowReferences(scope, ids.workflowId),
  async run({ scope, ids, body, keyed, query, req }) {
    const run = await makeOnceByKey(
      scope,
      keyed,
      (also) => startRun(scope, ids.workflowId, body, { also }),
      (id) => getRunSummary(scope, id),
    );
    if (query.wait === 0 || run.root_task_id !== null) return run;
    const { signal: gone } = req;
    try {
      await waitForEnd(scope, { seconds: query.wait, gone }, (s) => runWithTask(scope, run.id, s));
      return await getRunSummary(scope, run.id);
    } catch (error) {
      // It was started, even if the caller may not wait.
      if (error instanceof AppError) return run;
      throw error;
    }
  },
  async runs({ scope, ids, query }) {
    const { runs, hasNext } = await listRuns(scope, ids.workflowId, query);
    return paged(runs, hasNext, ({ id }) => ({ before: id }));
  },
  async allRuns({ scope, query }) {
    const { runs, hasNext } = await listProjectRuns(scope, query);
    return paged(runs, hasNext, ({ id }) => ({ before: id }));
  },
  stats: ({ scope, ids, query }) => readRunStats(scope, ids.workflowId, query),
  compare: ({ scope, ids, query }) =>
    compareWorkflowRuns(scope, ids.workflowId, ids.runId, query.base),
  async getRun({ scope, ids, query, req }) {
    const run = await getRun(scope, ids.workflowId, ids.runId);
    if (query.wait === 0 || run.end !== null) return run;
    const gone = req.signal;
    await waitForEnd(scope, { seconds: query.wait, gone }, (s) => runEnd(scope, run.id, s));
    return await getRun(scope, ids.workflowId, run.id);
  },
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
  vote: {
    admit: ({ scope, ids }) => requireVoter(scope, ids.workflowId, ids.runId, ids.stepId),
    async run({ scope, ids: { workflowId, runId, stepId }, body }) {
      await vote(scope, workflowId, runId, stepId, body);
      return await getRunApproval(scope, workflowId, runId, stepId);
    },
  },
});
