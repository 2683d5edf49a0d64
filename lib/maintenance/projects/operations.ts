import { z } from "zod";
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
    summary: "The projects that one is a member of; all of them for admins",
    access: "user",
    answer: z.array(projectSchema),
  }),
  create: operation({
    id: "createProject",
    method: "POST",
    path: "/projects",
    tag,
    summary: "Make a project and be its owner; with `demo` it comes with something to run",
    access: "create_project",
    body: newProjectForm,
    answer: projectSchema,
  }),
  get: operation({
    id: "getProject",
    method: "GET",
    path: "/project/{projectId}",
    tag,
    summary: "One project",
    access: "member",
    answer: projectSchema,
  }),
  update: operation({
    id: "updateProject",
    method: "PUT",
    path: "/project/{projectId}",
    tag,
    summary: "Change a project's name and settings",
    access: "update_project",
    body: projectBody,
  }),
  delete: operation({
    id: "deleteProject",
    method: "DELETE",
    path: "/project/{projectId}",
    tag,
    summary:
      "Delete a project with all that is in it; with `force` its open tasks are stopped first",
    access: "update_project",
    body: deleteProjectForm,
    emptyBody: {},
    query: deleteProjectQuery,
    errors: [409],
  }),
  role: operation({
    id: "getProjectRole",
    method: "GET",
    path: "/project/{projectId}/role",
    tag,
    summary: "One's own role, and its permissions as a sum of bits",
    access: "member",
    answer: projectRoleSchema,
  }),
};
