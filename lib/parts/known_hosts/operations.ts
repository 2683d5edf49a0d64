import { z } from "zod";
import { operation } from "../../access/operation.ts";
import { knownHostSchema } from "./schema.ts";

const tag = "Known hosts";

export const knownHostOperations = {
  list: operation({
    id: "listKnownHosts",
    method: "GET",
    path: "/project/{projectId}/known_hosts",
    tag,
    summary: "The hosts that runs have reached over ssh, with the keys that are pinned for them",
    access: "member",
    answer: z.array(knownHostSchema),
  }),
  forget: operation({
    id: "forgetKnownHost",
    method: "DELETE",
    path: "/project/{projectId}/known_hosts/{host}",
    tag,
    summary: "Forget a host's pinned keys: for one whose key was really changed",
    access: "manage_resources",
  }),
};
