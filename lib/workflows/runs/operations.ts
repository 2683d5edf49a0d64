import * as z from "zod";
import { KEYED, operation } from "../../access/operation.ts";
import { voteForm } from "../../approvals/schema.ts";
import { waitForTaskQuery, waitQuery } from "../../tasks/wait_query.ts";
import { compareRunsQuery, runComparisonSchema } from "../compare_schema.ts";
import {
  projectRunsQuery,
  runAgainForm,
  runApprovalSchema,
  runSchema,
  runsQuery,
  startRunForm,
  stopRunForm,
  wholeRunSchema,
} from "../run_schema.ts";
import { runStatsQuery, runStatsSchema } from "../trend_schema.ts";
import { makeOnceByKey } from "../../access/sent_forms.ts";
import { AppError } from "../../base/errors.ts";
import { runAgain } from "./again.ts";
import { runValues } from "./artifacts.ts";
import { compareWorkflowRuns } from "./compare.ts";
import { readRunStats } from "./trends.ts";
import { runEnd, runWithTask } from "./follow.ts";
import { listProjectRuns, listRuns } from "./history.ts";
import { startRun } from "./start.ts";
import { requireRunStopper, stopRun } from "./stop.ts";
import { getRun, getRunSummary } from "./view.ts";
import { getRunApproval, listRunApprovals, requireVoter, vote } from "./vote.ts";
import { waitForEnd } from "../../tasks/waits.ts";
import { paged } from "../../access/answer.ts";

const tag = "Workflows";
const own = "/project/{projectId}/workflows/{workflowId}";
const run = `${own}/runs/{runId}` as const;

export const workflowRunOperations = [
  operation({
    id: "startWorkflow",
    method: "POST",
    path: `${own}/run`,
    tag,
    summary: "Start a workflow",
    details: "With a number in `version`, an earlier definition is followed, if a run of it is " +
      "still stored and the caller may manage resources. A text is ignored. " + KEYED,
    access: "run_tasks",
    isKeyed: true,
    query: waitForTaskQuery,
    body: startRunForm,
    emptyBody: {},
    answer: runSchema,
    errors: [409, 422, 429],
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
        await waitForEnd(
          scope,
          { seconds: query.wait, gone },
          (s) => runWithTask(scope, run.id, s),
        );
        return await getRunSummary(scope, run.id);
      } catch (error) {
        // It was started, even if the caller may not wait.
        if (error instanceof AppError) return run;
        throw error;
      }
    },
  }),
  operation({
    id: "listWorkflowRuns",
    method: "GET",
    path: `${own}/runs`,
    tag,
    summary: "List the runs of a workflow",
    details: "Latest first, at most 100. With `before`, only runs older than the one with this id.",
    access: "member",
    query: runsQuery,
    answer: z.array(runSchema),
    async run({ scope, ids, query }) {
      const { runs, hasNext } = await listRuns(scope, ids.workflowId, query);
      return paged(runs, hasNext, ({ id }) => ({ before: id }));
    },
  }),
  operation({
    id: "listProjectWorkflowRuns",
    method: "GET",
    path: "/project/{projectId}/workflow_runs",
    tag,
    summary: "List the runs of all workflows of a project",
    details: "Latest first, at most 100. `user_id` is the person who started them.",
    access: "member",
    query: projectRunsQuery,
    answer: z.array(runSchema),
    async run({ scope, query }) {
      const { runs, hasNext } = await listProjectRuns(scope, query);
      return paged(runs, hasNext, ({ id }) => ({ before: id }));
    },
  }),
  operation({
    id: "getWorkflowStats",
    method: "GET",
    path: `${own}/stats`,
    tag,
    summary: "Get the daily statistics of a workflow",
    details: "Counts how runs and their steps ended, by the UTC day on which the runs were " +
      "created. Without `start`, those of the last 30 days.",
    access: "member",
    query: runStatsQuery,
    answer: runStatsSchema,
    run: ({ scope, ids, query }) => readRunStats(scope, ids.workflowId, query),
  }),
  operation({
    id: "getWorkflowRunComparison",
    method: "GET",
    path: `${run}/compare`,
    tag,
    summary: "Get the comparison of two runs of a workflow",
    details: "The other one is `base`, or the latest successful run before it.",
    access: "member",
    query: compareRunsQuery,
    answer: runComparisonSchema,
    run: ({ scope, ids, query }) =>
      compareWorkflowRuns(scope, ids.workflowId, ids.runId, query.base),
  }),
  operation({
    id: "getWorkflowRun",
    method: "GET",
    path: run,
    tag,
    summary: "Get a run of a workflow with its steps",
    access: "member",
    query: waitQuery,
    errors: [429],
    answer: wholeRunSchema,
    async run({ scope, ids, query, req }) {
      const run = await getRun(scope, ids.workflowId, ids.runId);
      if (query.wait === 0 || run.end !== null) return run;
      const gone = req.signal;
      await waitForEnd(scope, { seconds: query.wait, gone }, (s) => runEnd(scope, run.id, s));
      return await getRun(scope, ids.workflowId, run.id);
    },
  }),
  operation({
    id: "stopWorkflowRun",
    method: "POST",
    path: `${run}/stop`,
    tag,
    summary: "Stop a run of a workflow",
    details: "No further step starts. Its tasks are stopped, or killed with `force`. People who " +
      "may run tasks stop their own runs. Other runs need `stop_all_tasks`.",
    access: "member",
    scopes: ["run"],
    body: stopRunForm,
    emptyBody: {},
    status: 204,
    errors: [403],
    admit: ({ scope, ids }) => requireRunStopper(scope, ids.workflowId, ids.runId),
    run: ({ scope, ids, body }) => stopRun(scope, ids.workflowId, ids.runId, body.force),
  }),
  operation({
    id: "repeatWorkflowRun",
    method: "POST",
    path: `${run}/again`,
    tag,
    summary: "Start a workflow again from the failed step of a run",
    details:
      "Steps that succeeded are kept, with their outputs. Secret answers must be sent again. The " +
      "definition of the run is followed if the caller may manage resources and it asks for all " +
      "approvals of the latest one. Otherwise, or with `latest`, that is the latest one. " + KEYED,
    access: "run_tasks",
    isKeyed: true,
    body: runAgainForm,
    emptyBody: {},
    answer: runSchema,
    errors: [409, 422, 429],
    run: ({ scope, ids, body, keyed }) =>
      makeOnceByKey(
        scope,
        keyed,
        (also) => runAgain(scope, ids.workflowId, ids.runId, body, also),
        (id) => getRunSummary(scope, id),
      ),
  }),
  operation({
    id: "getWorkflowRunArtifacts",
    method: "GET",
    path: `${run}/artifacts`,
    tag,
    summary: "Get the outputs of the steps of a run",
    details: "The answer has them by the ids of the steps.",
    access: "member",
    answer: z.record(z.string(), z.record(z.string(), z.string())),
    run: ({ scope, ids }) => runValues(scope, ids.workflowId, ids.runId),
  }),
  operation({
    id: "listWorkflowRunApprovals",
    method: "GET",
    path: `${run}/approvals`,
    tag,
    summary: "List the approvals of a run",
    access: "member",
    answer: z.array(runApprovalSchema),
    run: ({ scope, ids }) => listRunApprovals(scope, ids.workflowId, ids.runId),
  }),
  operation({
    id: "voteOnWorkflowRun",
    method: "POST",
    path: `${run}/approvals/{stepId}`,
    tag,
    summary: "Send a vote on a step of a run",
    details:
      "Answers the approval. The rule of the step defines who may vote. Each person votes once.",
    access: "member",
    scopes: ["run"],
    body: voteForm,
    answer: runApprovalSchema,
    status: 200,
    errors: [409],
    admit: ({ scope, ids }) => requireVoter(scope, ids.workflowId, ids.runId, ids.stepId),
    async run({ scope, ids: { workflowId, runId, stepId }, body }) {
      await vote(scope, workflowId, runId, stepId, body);
      return await getRunApproval(scope, workflowId, runId, stepId);
    },
  }),
];
