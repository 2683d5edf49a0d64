import * as z from "zod";
import { operation } from "../access/operation.ts";
import {
  hostFactsSchema,
  hostRunSchema,
  hostRunsQuery,
  hostsQuery,
  projectHostSchema,
} from "./schema.ts";

const tag = "Hosts";

export const hostOperations = {
  list: operation({
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
  }),
  runs: operation({
    id: "listHostRuns",
    method: "GET",
    path: "/project/{projectId}/hosts/{host}/runs",
    tag,
    summary: "List the tasks that reached a host",
    details: "Latest first. Continue with `before`, the ID of a task.",
    access: "member",
    query: hostRunsQuery,
    answer: z.array(hostRunSchema),
  }),
  facts: operation({
    id: "getHostFacts",
    method: "GET",
    path: "/project/{projectId}/hosts/{host}/facts",
    tag,
    summary: "Get the facts of a host",
    details: "Facts that the latest task gathered, and how they have changed.",
    access: "member",
    answer: hostFactsSchema,
  }),
  forget: operation({
    id: "forgetHost",
    method: "DELETE",
    path: "/project/{projectId}/hosts/{host}",
    tag,
    summary: "Delete a host and its results",
    details: "The host returns when a task reaches it again.",
    access: "manage_resources",
  }),
};
