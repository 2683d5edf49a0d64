import * as z from "zod";
import { registerRunner, requireSpokenProtocol, rotateToken } from "../../runners/register.ts";
import { rotatedTokenSchema } from "../../runners/schema.ts";
import type { RunnerDeps } from "./remote.ts";
import { operationWith } from "../../access/operation.ts";
import {
  pollAnswerSchema,
  pollRequestSchema,
  registerAnswerSchema,
  registerRequestSchema,
  reportAnswerSchema,
  testReportSchema,
} from "../../runner/protocol.ts";
import { takeTestReport } from "./connection_tests.ts";
import { pollForRuns } from "./poll.ts";
import { takeReport } from "./report.ts";
import { authenticateRunner } from "../../runners/authenticate.ts";

const operation = operationWith<RunnerDeps>();
const tag = "Runners";
const access = "public" as const;

/** Calls by runners themselves. They check the tokens of their callers. */
export const runnerProtocolOperations = [
  operation({
    id: "registerRunner",
    method: "POST",
    path: "/runner/register",
    tag,
    summary: "Register a runner with its registration token",
    details: "Sent by the program of a runner, with the version of its protocol in the header" +
      " `X-Callboard-Runner`. The answer has the runner's long-lived token.",
    access,
    body: registerRequestSchema,
    answer: registerAnswerSchema,
    errors: [401, 409, 426, 429],
    admit: ({ scope, req }) => requireSpokenProtocol(scope.deps, req.headers),
    run: ({ scope, req, address, body }) =>
      registerRunner(scope.deps, { headers: req.headers, address }, body),
  }),
  operation({
    id: "rotateRunnerToken",
    method: "POST",
    path: "/runner/token",
    tag,
    summary: "Create another token for the runner that asks",
    details:
      "The current token stays valid until the new one is used for the first time. The current" +
      " one is sent as `Authorization: Bearer`.",
    access,
    answer: rotatedTokenSchema,
    errors: [401, 426],
    run: ({ scope, req }) => rotateToken(scope.deps, { headers: req.headers }),
  }),
  operation({
    id: "pollForRuns",
    method: "POST",
    path: "/runner/poll",
    tag,
    summary: "Get the next run for a runner",
    details:
      "For runners only, with their token. The server holds the call until it has a run or a " +
      "stop for the runner.",
    access,
    body: pollRequestSchema,
    answer: pollAnswerSchema,
    status: 200,
    bodyBytesMax: 256 * 1024,
    errors: [401, 409, 426],
    admit: ({ scope, req }) => authenticateRunner(scope.deps, req.headers),
    run: ({ scope, req, body }) => pollForRuns(scope.deps, req, body),
  }),
  operation({
    id: "answerCheck",
    method: "POST",
    path: "/runner/checks/{check}",
    tag,
    summary: "Send the answer to a connection test",
    details: "For runners only, with their token.",
    access,
    body: testReportSchema,
    answer: z.object({}),
    errors: [401, 426],
    status: 200,
    admit: ({ scope, req }) => authenticateRunner(scope.deps, req.headers),
    run: ({ scope, req, params, body }) =>
      takeTestReport(scope.deps, req.headers, params.check, body),
  }),
  operation({
    id: "reportRun",
    method: "POST",
    path: "/runner/tasks/{taskId}/report",
    tag,
    summary: "Add output and results to a run",
    details: "For runners only, with their token. The body is JSON, compressed with gzip.",
    access,
    answer: reportAnswerSchema,
    status: 200,
    errors: [400, 401, 413, 421, 426],
    run: ({ scope, req, ids }) => takeReport(scope.deps, req, ids.taskId),
  }),
];
