import * as z from "zod";
import { operation } from "../access/operation.ts";
import {
  hostOfResults,
  listAfter,
  listChoices,
  listSize,
  queryFlag,
  queryNumber,
} from "../base/lists/list_query.ts";
import { RESULT_STATUSES } from "../execution/run/events.ts";
import {
  ansibleErrorSchema,
  ansibleHostSchema,
  fullResultSchema,
  hostResultSchema,
  listedHostSchema,
  playSchema,
  resultsSummarySchema,
} from "./schema.ts";
import { FAILURES, HOST_STATUSES } from "./statuses.ts";
import { notFound } from "../base/errors.ts";
import { withFailures } from "./host_failures.ts";
import { paged } from "../access/answer.ts";
import {
  findFullResult,
  getResultsSummary,
  listRunHosts,
  listRunPlays,
  listRunResults,
} from "./service.ts";
import { ansibleError, ansibleHost } from "./view.ts";

const tag = "Tasks";
const access = "member";

const which = { preview: queryFlag.describe("With `true`, the results of the task's preview") };
const hostsQuery = z.object({
  ...listSize,
  ...which,
  after: listAfter,
  status: listChoices(HOST_STATUSES, "errors.invalid"),
});
const whichQuery = z.object(which);
const resultsQuery = z.object({
  ...listSize,
  ...which,
  after: listAfter,
  host: hostOfResults,
  play_task: queryNumber().describe("Only results of the Ansible task with this number"),
  status: listChoices(RESULT_STATUSES, "errors.invalid"),
});

const HOSTS_MAX = 1_000;

const RESULTS_MAX = 200;

const ERRORS_MAX = 1_000;

export const resultOperations = [
  operation({
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
    run: ({ scope, ids, query }) => getResultsSummary(scope, ids.taskId, query),
  }),
  operation({
    id: "listTaskHosts",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/hosts",
    tag,
    summary: "List the hosts of a task",
    details:
      "Ansible's recap for each host, also while the task runs, with the reason of a failure.",
    access,
    query: hostsQuery,
    answer: z.array(listedHostSchema),
    async run({ scope, ids, query: { limit, count, status: statuses, ...of } }) {
      const page = { ...of, statuses, limit: Math.min(limit ?? count ?? HOSTS_MAX, HOSTS_MAX) };
      const { hosts, hasNext } = await listRunHosts(scope, ids.taskId, page);
      const shown = await withFailures(scope, ids.taskId, hosts, of);
      return paged(shown, hasNext, ({ id }) => ({ after: id }));
    },
  }),
  operation({
    id: "listTaskPlays",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/plays",
    tag,
    summary: "List the plays of a task",
    details: "With their Ansible tasks, times and counts.",
    access,
    query: whichQuery,
    answer: z.array(playSchema),
    run: ({ scope, ids, query }) => listRunPlays(scope, ids.taskId, query),
  }),
  operation({
    id: "listTaskResults",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/results",
    tag,
    summary: "List the results of a task",
    details: "One for each Ansible task on each host, ordered by Ansible task and host.",
    access,
    query: resultsQuery,
    answer: z.array(hostResultSchema),
    async run({ scope, ids, query: { limit, count, play_task, status, ...of } }) {
      const { results, hasNext } = await listRunResults(scope, ids.taskId, {
        ...of,
        playTask: play_task,
        statuses: status,
        limit: Math.min(limit ?? count ?? RESULTS_MAX, RESULTS_MAX),
      });
      return paged(results, hasNext, ({ id }) => ({ after: id }));
    },
  }),
  operation({
    id: "getTaskResult",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/results/{resultId}",
    tag,
    summary: "Get a result of a task",
    details: "Everything that the module returned for an Ansible task on a host.",
    access,
    query: z.object(which),
    answer: fullResultSchema,
    async run({ scope, ids, query }) {
      const result = await findFullResult(scope, ids.taskId, ids.resultId, query);
      if (!result) throw notFound();
      return result;
    },
  }),
  operation({
    id: "listTaskAnsibleHosts",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/ansible/hosts",
    tag,
    summary: "List the recap of a task for other clients",
    details: "In the format of newer Semaphore servers.",
    access,
    answer: z.array(ansibleHostSchema),
    async run({ scope, ids }) {
      const { hosts } = await listRunHosts(scope, ids.taskId);
      return hosts.map((host) => ansibleHost(ids, host));
    },
  }),
  operation({
    id: "listTaskAnsibleErrors",
    method: "GET",
    path: "/project/{projectId}/tasks/{taskId}/ansible/errors",
    tag,
    summary: "List the failures of a task for other clients",
    details: "In the format of newer Semaphore servers. The first 1,000.",
    access,
    answer: z.array(ansibleErrorSchema),
    async run({ scope, ids }) {
      const { results } = await listRunResults(scope, ids.taskId, {
        statuses: FAILURES,
        limit: ERRORS_MAX,
      });
      return results.map((result) => ansibleError(ids, result));
    },
  }),
];
