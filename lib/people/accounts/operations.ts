import * as z from "zod";
import { operation } from "../../access/operation.ts";
import {
  currentUserSchema,
  listedUserSchema,
  passwordForm,
  userBody,
  userChangeBody,
  userSchema,
} from "../users/schema.ts";

const tag = "Users";

export const userOperations = {
  current: operation({
    id: "getCurrentUser",
    method: "GET",
    path: "/user",
    tag,
    summary: "Get the signed-in user",
    access: "user",
    answer: currentUserSchema,
  }),
  list: operation({
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
  }),
  create: operation({
    id: "createUser",
    method: "POST",
    path: "/users",
    tag,
    summary: "Create a user",
    access: "admin",
    body: userBody,
    answer: userSchema,
    errors: [409],
  }),
  get: operation({
    id: "getUser",
    method: "GET",
    path: "/users/{userId}",
    tag,
    summary: "Get a user",
    access: "admin_or_self",
    answer: userSchema,
  }),
  update: operation({
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
  }),
  delete: operation({
    id: "deleteUser",
    method: "DELETE",
    path: "/users/{userId}",
    tag,
    summary: "Delete a user",
    details: "Refused for the last admin and for the last owner of a project.",
    access: "admin_or_self",
    errors: [409],
  }),
  changePassword: operation({
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
  }),
};
