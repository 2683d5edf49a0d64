import * as z from "zod";
import { operation } from "../../access/operation.ts";
import { TEMPLATE_COLUMNS, templateSchema } from "../schema.ts";
import { positionsForm, viewForm, viewSchema } from "./schema.ts";

const tag = "Views";

export const viewOperations = {
  list: operation({
    id: "listViews",
    method: "GET",
    path: "/project/{projectId}/views",
    tag,
    summary: "List the views of a project",
    details: "In the order of their tabs.",
    access: "member",
    answer: z.array(viewSchema),
  }),
  create: operation({
    id: "createView",
    method: "POST",
    path: "/project/{projectId}/views",
    tag,
    summary: "Create a view",
    details: "It becomes the last one unless `position` is sent.",
    access: "manage_resources",
    body: viewForm,
    answer: viewSchema,
  }),
  get: operation({
    id: "getView",
    method: "GET",
    path: "/project/{projectId}/views/{viewId}",
    tag,
    summary: "Get a view",
    access: "member",
    answer: viewSchema,
  }),
  update: operation({
    id: "updateView",
    method: "PUT",
    path: "/project/{projectId}/views/{viewId}",
    tag,
    summary: "Update a view",
    access: "manage_resources",
    body: viewForm,
  }),
  delete: operation({
    id: "deleteView",
    method: "DELETE",
    path: "/project/{projectId}/views/{viewId}",
    tag,
    summary: "Delete a view",
    details: "Its templates stay, without a view.",
    access: "manage_resources",
  }),
  move: operation({
    id: "moveViews",
    method: "POST",
    path: "/project/{projectId}/views/positions",
    tag,
    summary: "Set the positions of views",
    details: "The body maps IDs of views to positions.",
    access: "manage_resources",
    body: positionsForm,
    status: 204,
  }),
  listTemplates: operation({
    id: "listViewTemplates",
    method: "GET",
    path: "/project/{projectId}/views/{viewId}/templates",
    tag,
    summary: "List the templates of a view",
    details: "Each has its latest task.",
    access: "member",
    answer: z.array(templateSchema),
    sort: TEMPLATE_COLUMNS,
  }),
};
