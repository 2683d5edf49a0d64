import * as z from "zod";
import { operation } from "../access/operation.ts";
import { listChoices, listSize, queryFlag, queryNumber } from "../base/lists/list_query.ts";
import { RESULT_STATUSES } from "../execution/run/events.ts";
import {
  ansibleErrorSchema,
  ansibleHostSchema,
  fullResultSchema,
  hostResultSchema,
  playSchema,
  resultsSummarySchema,
  runHostSchema,
} from "./schema.ts";
import { HOST_STATUSES } from "./statuses.ts";

const tag = "Tasks";
const access = "member";

/** Whether to return the results of the task's preview instead of its own. */
const which = { preview: queryFlag };
const hostsQuery = z.object({
  ...listSize,
  ...which,
  after: queryNumber(0),
  status: listChoices(HOST_STATUSES, "errors.invalid"),
});
const whichQuery = z.object(which);
const resultsQuery = z.object({
  ...listSize,
  ...which,
  after: queryNumber(0),
  host: z.string().max(1_000, "errors.too_long").optional(),
  play_task: queryNumber(),
  status: listChoices(RESULT_STATUSES, "errors.invalid"),
});

export const resultOperations = {
  summary: operation({
    id: "getTaskResultsSummary",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/results_summary",
    tag,
    summary: "Get the summary of the results of a task",
    details:
      "How many results the task reported, and whether they are complete. Answers 404 if there " +
      "are none.",
    access,
    query: whichQuery,
    answer: resultsSummarySchema,
  }),
  hosts: operation({
    id: "listTaskHosts",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/hosts",
    tag,
    summary: "List the hosts of a task",
    details: "Ansible's recap for each host, also while the task runs.",
    access,
    query: hostsQuery,
    answer: z.array(runHostSchema),
  }),
  plays: operation({
    id: "listTaskPlays",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/plays",
    tag,
    summary: "List the plays of a task",
    details: "With their Ansible tasks, times and counts.",
    access,
    query: whichQuery,
    answer: z.array(playSchema),
  }),
  results: operation({
    id: "listTaskResults",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/results",
    tag,
    summary: "List the results of a task",
    details: "One for each Ansible task on each host, ordered by Ansible task and host.",
    access,
    query: resultsQuery,
    answer: z.array(hostResultSchema),
  }),
  result: operation({
    id: "getTaskResult",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/results/{resultId}",
    tag,
    summary: "Get a result of a task",
    details: "Everything that the module returned for an Ansible task on a host.",
    access,
    query: z.object(which),
    answer: fullResultSchema,
  }),
  ansibleHosts: operation({
    id: "listTaskAnsibleHosts",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/ansible/hosts",
    tag,
    summary: "List the recap of a task for other clients",
    details: "In the format of newer Semaphore servers.",
    access,
    answer: z.array(ansibleHostSchema),
  }),
  ansibleErrors: operation({
    id: "listTaskAnsibleErrors",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/ansible/errors",
    tag,
    summary: "List the failures of a task for other clients",
    details: "In the format of newer Semaphore servers. The first 1,000.",
    access,
    answer: z.array(ansibleErrorSchema),
  }),
};
