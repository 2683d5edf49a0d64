import * as z from "zod";
import { operation } from "../../access/operation.ts";
import { newRoleForm, roleForm, roleSchema } from "./schema.ts";
import { createRole, deleteRole, getRole, listAllRoles, listRoles, updateRole } from "./service.ts";

const details =
  "`granted` names the permissions, and decides if it is sent. `permissions` is a sum " +
  "of bits for clients that know the fixed roles.";

interface Place<Change extends "admin" | "manage_users", See extends "admin" | "member"> {
  /** Parts of the calls' ids, such as "ServerRole". */
  noun: string;
  path: "/roles" | "/project/{projectId}/roles";
  of: string;
  tag: string;
  change: Change;
  see: See;
}

/** The calls for the roles that a project defines, or the server. */
function roleOperations<Change extends "admin" | "manage_users", See extends "admin" | "member">(
  { noun, path, of, tag, change, see }: Place<Change, See>,
) {
  const itsPath = `${path}/{slug}` as const;
  const access: "admin" | "manage_users" = change;
  const seen: "admin" | "member" = see;
  return [
    operation({
      id: `list${noun}s`,
      method: "GET",
      path,
      tag,
      summary: `List the roles that ${of} defines`,
      details: "Without the fixed roles owner, manager, task_runner and guest.",
      access: seen,
      answer: z.array(roleSchema),
      sort: ["name", "slug"],
      run: ({ scope }) => listRoles(scope),
    }),
    operation({
      id: `create${noun}`,
      method: "POST",
      path,
      tag,
      summary: `Create a role of ${of}`,
      details: `${details} Nobody creates a role that may do more than they may do themselves.`,
      access,
      body: newRoleForm,
      answer: roleSchema,
      errors: [409],
      run: ({ scope, body }) => createRole(scope, body),
    }),
    operation({
      id: `get${noun}`,
      method: "GET",
      path: itsPath,
      tag,
      summary: `Get a role of ${of}`,
      details,
      access: seen,
      answer: roleSchema,
      run: ({ scope, params }) => getRole(scope, params.slug),
    }),
    operation({
      id: `update${noun}`,
      method: "PUT",
      path: itsPath,
      tag,
      summary: `Update a role of ${of}`,
      details: `${details} The change holds immediately for all who have the role.`,
      access,
      body: roleForm,
      run: ({ scope, params, body, expected }) => updateRole(scope, params.slug, body, expected),
    }),
    operation({
      id: `delete${noun}`,
      method: "DELETE",
      path: itsPath,
      tag,
      summary: `Delete a role of ${of}`,
      details: "Refused while someone has it or a rule names it.",
      access,
      errors: [409],
      run: ({ scope, params, expected }) => deleteRole(scope, params.slug, expected),
    }),
  ];
}

export const serverRoleOperations = roleOperations({
  noun: "ServerRole",
  path: "/roles",
  of: "the server",
  tag: "Users",
  change: "admin",
  see: "admin",
});

const [list, ...others] = roleOperations({
  noun: "Role",
  path: "/project/{projectId}/roles",
  of: "a project",
  tag: "Team",
  change: "manage_users",
  see: "member",
});

export const projectRoleOperations = [
  list,
  operation({
    id: "listAllRoles",
    method: "GET",
    path: "/project/{projectId}/roles/all",
    tag: "Team",
    summary: "List the roles of a project and of the server",
    details: "Members can have each of them. Without the fixed roles.",
    access: "member",
    answer: z.array(roleSchema),
    sort: ["name", "slug"],
    run: ({ scope }) => listAllRoles(scope),
  }),
  ...others,
];
