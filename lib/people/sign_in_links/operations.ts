import { openAccount } from "../../access/scope.ts";
import { operation } from "../../access/operation.ts";
import { paths } from "../../base/paths.ts";
import { madeLinkSchema, openLinksSchema } from "./schema.ts";
import { makeFirstLink, readOpenLinks, withdrawLinks } from "./service.ts";

const tag = "Users";
const path = "/users/{userId}/sign_in_links";

export const signInLinkOperations = [
  operation({
    id: "listSignInLinks",
    method: "GET",
    path,
    tag,
    summary: "List the unused sign-in links of a user",
    details: "Without their addresses.",
    access: "admin_or_self",
    answer: openLinksSchema,
    run: ({ scope }) => readOpenLinks(scope),
  }),
  operation({
    id: "createSignInLink",
    method: "POST",
    path,
    tag,
    summary: "Create the link by which a new user sets a password",
    details:
      "The link works once and for seven days, and earlier links end. Refused for accounts that " +
      "someone can sign in to, and where passwords are disabled. Only this answer has the path " +
      "of the link, below the address of the server.",
    access: "admin",
    answer: madeLinkSchema,
    errors: [400],
    async run({ scope, ids }) {
      const { token, expires } = await makeFirstLink(openAccount(scope, ids.userId));
      return { path: paths.signInLink(token), expires };
    },
  }),
  operation({
    id: "withdrawSignInLinks",
    method: "DELETE",
    path,
    tag,
    summary: "Revoke the unused sign-in links of a user",
    access: "admin_or_self",
    run: ({ scope }) => withdrawLinks(scope),
  }),
];
