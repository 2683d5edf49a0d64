import { deleteUser } from "@/lib/people/accounts/deletion.ts";
import { userOperations } from "@/lib/people/accounts/operations.ts";
import {
  changePassword,
  createUser,
  getCurrentUser,
  getUser,
  listUsers,
  updateUser,
} from "@/lib/people/accounts/service.ts";
import { bind } from "@/lib/web/api/bind.ts";

export const users = bind(userOperations, {
  current: ({ scope }) => getCurrentUser(scope),
  list: ({ scope }) => listUsers(scope),
  create: ({ scope, body }) => createUser(scope, body),
  get: ({ scope }) => getUser(scope),
  update: ({ scope, body, expected }) => updateUser(scope, body, expected),
  delete: ({ scope, expected }) => deleteUser(scope, expected),
  changePassword: ({ scope, body }) => changePassword(scope, body),
});
