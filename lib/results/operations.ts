import { z } from "zod";
import { operation } from "../access/operation.ts";
import { listChoices, listNumber, listSize } from "../base/list_query.ts";
import { RESULT_STATUSES } from "../execution/run/events.ts";
import {
  ansibleErrorSchema,
  ansibleHostSchema,
  hostResultSchema,
  playSchema,
  resultsSummarySchema,
  runHostSchema,
} from "./schema.ts";
import { fullResultSchema } from "./full/schema.ts";
import { HOST_STATUSES } from "./statuses.ts";

const tag = "Tasks";
const access = "member";

/** Whether to return the results of the task's preview instead of its own. */
const which = { preview: z.stringbool("errors.invalid").optional() };
const hostsQuery = z.object({
  ...listSize,
  ...which,
  after: listNumber(0),
  status: listChoices(HOST_STATUSES, "errors.invalid"),
});
const whichQuery = z.object(which);
const resultsQuery = z.object({
  ...listSize,
  ...which,
  after: listNumber(0),
  host: z.string().max(1_000, "errors.too_long").optional(),
  play_task: listNumber(),
  status: listChoices(RESULT_STATUSES, "errors.invalid"),
});

export const resultOperations = {
  summary: operation({
    id: "getTaskResultsSummary",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/results_summary",
    tag,
    summary:
      "How much a task told of its hosts, and whether that is all; 404 where it told nothing",
    access,
    query: whichQuery,
    answer: resultsSummarySchema,
  }),
  hosts: operation({
    id: "listTaskHosts",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/hosts",
    tag,
    summary: "What a task did on each host: Ansible's recap, also while it runs",
    access,
    query: hostsQuery,
    answer: z.array(runHostSchema),
  }),
  plays: operation({
    id: "listTaskPlays",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/plays",
    tag,
    summary: "The plays of a task, and their tasks with times and counts",
    access,
    query: whichQuery,
    answer: z.array(playSchema),
  }),
  results: operation({
    id: "listTaskResults",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/results",
    tag,
    summary: "How each task of the plays ended on each host, by task and host",
    access,
    query: resultsQuery,
    answer: z.array(hostResultSchema),
  }),
  result: operation({
    id: "getTaskResult",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/results/{resultId}",
    tag,
    summary: "How a task of a play ended on a host, with all that its module answered",
    access,
    query: z.object(which),
    answer: fullResultSchema,
  }),
  ansibleHosts: operation({
    id: "listTaskAnsibleHosts",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/ansible/hosts",
    tag,
    summary: "Ansible's recap of each host, as newer Semaphore servers answer it",
    access,
    answer: z.array(ansibleHostSchema),
  }),
  ansibleErrors: operation({
    id: "listTaskAnsibleErrors",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/ansible/errors",
    tag,
    summary: "Failures on hosts, as newer Semaphore servers answer them: the first 1,000",
    access,
    answer: z.array(ansibleErrorSchema),
  }),
};
