import * as z from "zod";
import { operation } from "../../access/operation.ts";
import { hostAuthorityForm, hostAuthoritySchema } from "./authority_schema.ts";
import { addHostAuthority, listHostAuthorities, removeHostAuthority } from "./authorities.ts";

const tag = "Known hosts";
const path = "/project/{projectId}/host_authorities";

export const hostAuthorityOperations = [
  operation({
    id: "listHostAuthorities",
    method: "GET",
    path,
    tag,
    summary: "List the host authorities of a project",
    details: "Tasks trust hosts whose keys these authorities have signed.",
    access: "member",
    answer: z.array(hostAuthoritySchema),
    run: ({ scope }) => listHostAuthorities(scope),
  }),
  operation({
    id: "createHostAuthority",
    method: "POST",
    path,
    tag,
    summary: "Create a host authority",
    access: "manage_keys",
    body: hostAuthorityForm,
    answer: hostAuthoritySchema,
    status: 201,
    run: ({ scope, body }) => addHostAuthority(scope, body),
  }),
  operation({
    id: "deleteHostAuthority",
    method: "DELETE",
    path: `${path}/{hostAuthorityId}`,
    tag,
    summary: "Delete a host authority",
    details: "Its hosts are then known by their pinned keys alone.",
    access: "manage_keys",
    run: ({ scope, ids }) => removeHostAuthority(scope, ids.hostAuthorityId),
  }),
];
