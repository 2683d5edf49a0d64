import { z } from "zod";
import { operation } from "../access/operation.ts";
import { hostFactsSchema } from "./facts/schema.ts";
import { hostRunSchema, hostRunsQuery, hostsQuery, projectHostSchema } from "./schema.ts";

const tag = "Hosts";

export const hostOperations = {
  list: operation({
    id: "listProjectHosts",
    method: "GET",
    path: "/project/{projectId}/hosts",
    tag,
    summary: "The hosts that runs have reached, by name; `after_host` is the name of a host",
    access: "member",
    query: hostsQuery,
    answer: z.array(projectHostSchema),
  }),
  runs: operation({
    id: "listHostRuns",
    method: "GET",
    path: "/project/{projectId}/hosts/{host}/runs",
    tag,
    summary: "What runs did on a host, newest first; `before` is the number of a task",
    access: "member",
    query: hostRunsQuery,
    answer: z.array(hostRunSchema),
  }),
  facts: operation({
    id: "getHostFacts",
    method: "GET",
    path: "/project/{projectId}/hosts/{host}/facts",
    tag,
    summary: "The facts that the newest run gathered of a host, and how they have changed",
    access: "member",
    answer: hostFactsSchema,
  }),
  forget: operation({
    id: "forgetHost",
    method: "DELETE",
    path: "/project/{projectId}/hosts/{host}",
    tag,
    summary: "Forget a host with what runs did on it, until a run reaches it again",
    access: "manage_resources",
  }),
};
