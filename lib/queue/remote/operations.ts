import * as z from "zod";
import { operation } from "../../access/operation.ts";
import {
  pollAnswerSchema,
  pollRequestSchema,
  reportAnswerSchema,
  testReportSchema,
} from "../../runner/protocol.ts";

const tag = "Runners";
const access = "public" as const;

export const runnerRunOperations = {
  poll: operation({
    id: "pollForRuns",
    method: "POST",
    path: "/runner/poll",
    tag,
    summary: "Get the next run for a runner",
    details:
      "For runners only, with their token. The server holds the call until it has a run or a stop for the runner.",
    access,
    body: pollRequestSchema,
    answer: pollAnswerSchema,
    status: 200,
    bodyBytesMax: 256 * 1024,
    errors: [401, 409, 426],
  }),
  answerCheck: operation({
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
  }),
  report: operation({
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
  }),
};
