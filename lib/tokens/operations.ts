import { z } from "zod";
import { operation } from "../http/operation.ts";
import { tokenForm, tokenSchema } from "./schema.ts";

const tag = "API tokens";

export const tokenOperations = {
  list: operation({
    id: "listTokens",
    method: "GET",
    path: "/user/tokens",
    tag,
    summary: "One's own API tokens; `id` is the first 8 letters",
    access: "user",
    answer: z.array(tokenSchema),
  }),
  create: operation({
    id: "createToken",
    method: "POST",
    path: "/user/tokens",
    tag,
    summary: "Make an API token; `id` is the whole token, which is not shown again",
    access: "user",
    body: tokenForm,
    emptyBody: {},
    answer: tokenSchema,
    errors: [409],
  }),
  delete: operation({
    id: "deleteToken",
    method: "DELETE",
    path: "/user/tokens/{token}",
    tag,
    summary: "End an API token, named by its first 8 letters",
    access: "user",
  }),
};
