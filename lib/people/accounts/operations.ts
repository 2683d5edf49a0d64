import * as z from "zod";
import { operation } from "../../access/operation.ts";
import { TOKEN_SCOPES } from "../../model/token_limits.ts";
import {
  currentUserSchema,
  listedUserSchema,
  passwordForm,
  userBody,
  userChangeBody,
  userSchema,
} from "../users/schema.ts";
import { deleteUser } from "./deletion.ts";
import {
  changePassword,
  createUser,
  getCurrentUser,
  getUser,
  listUsers,
  updateUser,
} from "./service.ts";

const tag = "Users";

export const userOperations = [
  operation({
    id: "getCurrentUser",
    method: "GET",
    path: "/user",
    tag,
    summary: "Get the signed-in user",
    access: "user",
    scopes: TOKEN_SCOPES,
    answer: currentUserSchema,
    run: ({ scope }) => getCurrentUser(scope),
  }),
  operation({
    id: "listUsers",
    method: "GET",
    path: "/users",
    tag,
    summary: "List the users",
    details:
      "Admins get all accounts. Other people get the names of those with whom they may share a " +
      "project.",
    access: "user",
    answer: z.array(listedUserSchema),
    run: ({ scope }) => listUsers(scope),
  }),
  operation({
    id: "createUser",
    method: "POST",
    path: "/users",
    tag,
    summary: "Create a user",
    access: "admin",
    body: userBody,
    answer: userSchema,
    errors: [409],
    run: ({ scope, body }) => createUser(scope, body),
  }),
  operation({
    id: "getUser",
    method: "GET",
    path: "/users/{userId}",
    tag,
    summary: "Get a user",
    access: "admin_or_self",
    answer: userSchema,
    run: ({ scope }) => getUser(scope),
  }),
  operation({
    id: "updateUser",
    method: "PUT",
    path: "/users/{userId}",
    tag,
    summary: "Update a user",
    details:
      "An empty password keeps the current one. Users cannot change their own admin right. To " +
      "change one's own password or email address, send `current_password` in a session.",
    access: "admin_or_self",
    body: userChangeBody,
    errors: [409, 429],
    run: ({ scope, body, expected }) => updateUser(scope, body, expected),
  }),
  operation({
    id: "deleteUser",
    method: "DELETE",
    path: "/users/{userId}",
    tag,
    summary: "Delete a user",
    details: "Refused for the last admin and for the last owner of a project.",
    access: "admin_or_self",
    errors: [409],
    run: ({ scope, expected }) => deleteUser(scope, expected),
  }),
  operation({
    id: "changePassword",
    method: "POST",
    path: "/users/{userId}/password",
    tag,
    summary: "Set the password of a user",
    details:
      "Ends the other sessions of the user. API tokens are revoked if `revoke_tokens` is true, " +
      "or if it is missing and the account belongs to someone else. To change one's own " +
      "password, send `current_password` in a session.",
    access: "admin_or_self",
    body: passwordForm,
    status: 204,
    errors: [429],
    run: ({ scope, body }) => changePassword(scope, body),
  }),
];
