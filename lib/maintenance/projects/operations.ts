import * as z from "zod";
import { operation } from "../../access/operation.ts";
import {
  deleteProjectForm,
  deleteProjectQuery,
  newProjectForm,
  projectBody,
  projectRoleSchema,
  projectSchema,
} from "./schema.ts";

const tag = "Projects";

export const projectOperations = {
  list: operation({
    id: "listProjects",
    method: "GET",
    path: "/projects",
    tag,
    summary: "List the projects of the signed-in user",
    details: "Admins get all projects.",
    access: "user",
    answer: z.array(projectSchema),
  }),
  create: operation({
    id: "createProject",
    method: "POST",
    path: "/projects",
    tag,
    summary: "Create a project",
    details: "The signed-in user becomes its owner. With `demo`, the project has templates to try.",
    access: "create_project",
    body: newProjectForm,
    answer: projectSchema,
  }),
  get: operation({
    id: "getProject",
    method: "GET",
    path: "/project/{projectId}",
    tag,
    summary: "Get a project",
    access: "member",
    answer: projectSchema,
  }),
  update: operation({
    id: "updateProject",
    method: "PUT",
    path: "/project/{projectId}",
    tag,
    summary: "Update a project",
    access: "update_project",
    body: projectBody,
  }),
  delete: operation({
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
  }),
  clearCache: operation({
    id: "clearProjectCache",
    method: "DELETE",
    path: "/project/{projectId}/cache",
    tag,
    summary: "Delete the copies of repositories and the installed requirements of a project",
    details: "On this server, not on runners. The next task fetches and installs them again. " +
      "409 while a task of the project runs.",
    access: "manage_resources",
    errors: [409],
  }),
  role: operation({
    id: "getProjectRole",
    method: "GET",
    path: "/project/{projectId}/role",
    tag,
    summary: "Get the role of the signed-in user in a project",
    details: "`permissions` is a sum of bits.",
    access: "member",
    answer: projectRoleSchema,
  }),
};
