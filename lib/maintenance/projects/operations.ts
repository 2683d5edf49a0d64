import * as z from "zod";
import { operation } from "../../access/operation.ts";
import { TOKEN_SCOPES } from "../../model/token_limits.ts";
import {
  deleteProjectForm,
  deleteProjectQuery,
  newProjectForm,
  projectBody,
  projectRoleSchema,
  projectSchema,
} from "./schema.ts";
import {
  createProject,
  getProject,
  getProjectRole,
  listProjects,
  updateProject,
} from "./service.ts";
import { clearProjectCache } from "./cache.ts";
import { deleteProject } from "./deletion.ts";

const tag = "Projects";

export const projectOperations = [
  operation({
    id: "listProjects",
    method: "GET",
    path: "/projects",
    tag,
    summary: "List the projects of the signed-in user",
    details: "Admins get all projects. A token of a project gets that one.",
    access: "user",
    forProjectTokens: true,
    answer: z.array(projectSchema),
    run: ({ scope }) => listProjects(scope),
  }),
  operation({
    id: "createProject",
    method: "POST",
    path: "/projects",
    tag,
    summary: "Create a project",
    details: "The signed-in user becomes its owner. With `demo`, the project has templates to try.",
    access: "create_project",
    body: newProjectForm,
    answer: projectSchema,
    run: ({ scope, body }) => createProject(scope, body),
  }),
  operation({
    id: "getProject",
    method: "GET",
    path: "/project/{projectId}",
    tag,
    summary: "Get a project",
    access: "member",
    answer: projectSchema,
    run: ({ scope }) => getProject(scope),
  }),
  operation({
    id: "updateProject",
    method: "PUT",
    path: "/project/{projectId}",
    tag,
    summary: "Update a project",
    access: "update_project",
    body: projectBody,
    run: ({ scope, body, expected }) => updateProject(scope, body, expected),
  }),
  operation({
    id: "deleteProject",
    method: "DELETE",
    path: "/project/{projectId}",
    tag,
    summary: "Delete a project and everything in it",
    details: "With `force`, its open tasks are stopped first.",
    access: "update_project",
    body: deleteProjectForm,
    emptyBody: {},
    query: deleteProjectQuery,
    errors: [409],
    run: ({ scope, body, query, expected }) =>
      deleteProject(scope, { force: body.force || query.force || false, expected }),
  }),
  operation({
    id: "clearProjectCache",
    method: "DELETE",
    path: "/project/{projectId}/cache",
    tag,
    summary: "Delete the copies of repositories and the installed requirements of a project",
    details: "On this server, not on runners. The next task fetches and installs them again. " +
      "409 while a task of the project runs.",
    access: "manage_resources",
    errors: [409],
    run: ({ scope }) => clearProjectCache(scope),
  }),
  operation({
    id: "getProjectRole",
    method: "GET",
    path: "/project/{projectId}/role",
    tag,
    summary: "Get the role of the signed-in user in a project",
    details: "`granted` names all permissions. `permissions` is a sum of bits for clients that " +
      "know the fixed roles: that of the largest role whose permissions are all granted.",
    access: "member",
    scopes: TOKEN_SCOPES,
    answer: projectRoleSchema,
    run: ({ scope }) => getProjectRole(scope),
  }),
];
