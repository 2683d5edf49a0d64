import { z } from "zod";
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
    summary: "One's own account",
    access: "user",
    answer: currentUserSchema,
  }),
  list: operation({
    id: "listUsers",
    method: "GET",
    path: "/users",
    tag,
    summary: "All accounts for admins; for others the names of those they may have to do with",
    access: "user",
    answer: z.array(listedUserSchema),
  }),
  create: operation({
    id: "createUser",
    method: "POST",
    path: "/users",
    tag,
    summary: "Add an account",
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
    summary: "One account",
    access: "admin_or_self",
    answer: userSchema,
  }),
  update: operation({
    id: "updateUser",
    method: "PUT",
    path: "/users/{userId}",
    tag,
    summary:
      "Change an account; an empty password stays as it is, and so does one's own admin switch. " +
      "One's own password and e-mail address take a session and `current_password`",
    access: "admin_or_self",
    body: userChangeBody,
    errors: [409, 429],
  }),
  delete: operation({
    id: "deleteUser",
    method: "DELETE",
    path: "/users/{userId}",
    tag,
    summary: "Delete an account that is neither the last admin nor a project's last owner",
    access: "admin_or_self",
    errors: [409],
  }),
  changePassword: operation({
    id: "changePassword",
    method: "POST",
    path: "/users/{userId}/password",
    tag,
    summary:
      "Set a new password, and end the account's other sessions; its API tokens, too, where " +
      "`revoke_tokens` is true, or is not sent and the account belongs to someone else. One's own " +
      "takes a session and `current_password`",
    access: "admin_or_self",
    body: passwordForm,
    status: 204,
    errors: [429],
  }),
};
