import * as z from "zod";
import { operation } from "../access/operation.ts";
import {
  hostFactsSchema,
  hostRunSchema,
  hostRunsQuery,
  hostsQuery,
  projectHostSchema,
} from "./schema.ts";
import { forgetHost, getHostFacts, listHostRuns, listProjectHosts } from "./service.ts";
import { hasAddress, nameRank } from "./rows.ts";
import { paged } from "../access/answer.ts";

const tag = "Hosts";

const HOSTS_MAX = 1_000;

const RUNS_MAX = 200;

export const hostOperations = [
  operation({
    id: "listProjectHosts",
    method: "GET",
    path: "/project/{projectId}/hosts",
    tag,
    summary: "List the hosts of a project",
    details:
      "Hosts that tasks have reached, ordered by name. Continue with `after_host`, the name of " +
      "a host.",
    access: "member",
    query: hostsQuery,
    answer: z.array(projectHostSchema),
    async run({ scope, query: { limit, count, q, after_host: name } }) {
      const { hosts, next } = await listProjectHosts(scope, {
        q,
        order: "name",
        isReverse: false,
        after: name && hasAddress(name) ? { rank: nameRank(name), name } : null,
        limit: Math.min(limit ?? count ?? HOSTS_MAX, HOSTS_MAX),
      });
      return paged(hosts, next !== null, ({ name }) => ({ after_host: name }));
    },
  }),
  operation({
    id: "listHostRuns",
    method: "GET",
    path: "/project/{projectId}/hosts/{host}/runs",
    tag,
    summary: "List the tasks that reached a host",
    details: "Latest first. Continue with `before`, the ID of a task.",
    access: "member",
    query: hostRunsQuery,
    answer: z.array(hostRunSchema),
    async run({ scope, params, query: { limit, count, before } }) {
      const page = { before, limit: Math.min(limit ?? count ?? RUNS_MAX, RUNS_MAX) };
      const { runs, hasNext } = await listHostRuns(scope, params.host, page);
      return paged(runs, hasNext, ({ task_id }) => ({ before: task_id }));
    },
  }),
  operation({
    id: "getHostFacts",
    method: "GET",
    path: "/project/{projectId}/hosts/{host}/facts",
    tag,
    summary: "Get the facts of a host",
    details: "Facts that the latest task gathered, and how they have changed.",
    access: "member",
    answer: hostFactsSchema,
    run: ({ scope, params }) => getHostFacts(scope, params.host),
  }),
  operation({
    id: "forgetHost",
    method: "DELETE",
    path: "/project/{projectId}/hosts/{host}",
    tag,
    summary: "Delete a host and its results",
    details: "The host returns when a task reaches it again.",
    access: "manage_resources",
    run: ({ scope, params }) => forgetHost(scope, params.host),
  }),
];
