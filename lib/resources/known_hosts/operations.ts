import * as z from "zod";
import { operation } from "../../access/operation.ts";
import { knownHostSchema } from "./schema.ts";
import { forgetKnownHost, listKnownHosts } from "./service.ts";

const tag = "Known hosts";

export const knownHostOperations = [
  operation({
    id: "listKnownHosts",
    method: "GET",
    path: "/project/{projectId}/known_hosts",
    tag,
    summary: "List the known hosts of a project",
    details: "Hosts that tasks reached over SSH, with their pinned keys.",
    access: "member",
    answer: z.array(knownHostSchema),
    run: ({ scope }) => listKnownHosts(scope),
  }),
  operation({
    id: "forgetKnownHost",
    method: "DELETE",
    path: "/project/{projectId}/known_hosts/{host}",
    tag,
    summary: "Delete the pinned keys of a host",
    details: "Only for hosts whose key has really changed.",
    access: "manage_keys",
    run: ({ scope, params }) => forgetKnownHost(scope, params.host),
  }),
];
