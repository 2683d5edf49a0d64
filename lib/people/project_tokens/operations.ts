import * as z from "zod";
import { operation } from "../../access/operation.ts";
import { projectTokenForm, projectTokenSchema } from "./schema.ts";
import {
  createProjectToken,
  deleteProjectToken,
  keepProjectToken,
  listProjectTokens,
} from "./service.ts";

const tag = "API tokens";

export const projectTokenOperations = [
  operation({
    id: "listProjectTokens",
    method: "GET",
    path: "/project/{projectId}/tokens",
    tag,
    summary: "List the tokens of a project",
    details: "`state` says whether a token works, and `reason` why it is suspended.",
    access: "manage_users",
    answer: z.array(projectTokenSchema),
    run: ({ scope }) => listProjectTokens(scope),
  }),
  operation({
    id: "createProjectToken",
    method: "POST",
    path: "/project/{projectId}/tokens",
    tag,
    summary: "Create a token of a project",
    details:
      "`token` is the whole token, which is not shown again. It acts as itself, with the scopes " +
      "`read`, `run` and `manage` as far as its creator has these rights. Without `scopes` it " +
      "gets all three. It stops when its creator leaves the project or loses the rights, until " +
      "someone keeps it.",
    access: "manage_users",
    body: projectTokenForm,
    answer: projectTokenSchema,
    errors: [409],
    run: ({ scope, body }) => createProjectToken(scope, body),
  }),
  operation({
    id: "keepProjectToken",
    method: "POST",
    path: "/project/{projectId}/tokens/{tokenId}/keep",
    tag,
    summary: "Set a token of a project to work without its creator",
    details: "Only a session can, of a person who may do all that the token may.",
    access: "manage_users",
    status: 204,
    run: ({ scope, ids }) => keepProjectToken(scope, ids.tokenId),
  }),
  operation({
    id: "deleteProjectToken",
    method: "DELETE",
    path: "/project/{projectId}/tokens/{tokenId}",
    tag,
    summary: "Revoke a token of a project",
    access: "manage_users",
    run: ({ scope, ids }) => deleteProjectToken(scope, ids.tokenId),
  }),
];
