import { z } from "zod";
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
    summary: "The project's views in their order",
    access: "member",
    answer: z.array(viewSchema),
  }),
  create: operation({
    id: "createView",
    method: "POST",
    path: "/project/{projectId}/views",
    tag,
    summary: "Add a view; the last one unless it is told another position",
    access: "manage_resources",
    body: viewForm,
    answer: viewSchema,
  }),
  get: operation({
    id: "getView",
    method: "GET",
    path: "/project/{projectId}/views/{viewId}",
    tag,
    summary: "One view",
    access: "member",
    answer: viewSchema,
  }),
  update: operation({
    id: "updateView",
    method: "PUT",
    path: "/project/{projectId}/views/{viewId}",
    tag,
    summary: "Rename a view, or move it",
    access: "manage_resources",
    body: viewForm,
  }),
  delete: operation({
    id: "deleteView",
    method: "DELETE",
    path: "/project/{projectId}/views/{viewId}",
    tag,
    summary: "Delete a view; its templates stay, without a view",
    access: "manage_resources",
  }),
  move: operation({
    id: "moveViews",
    method: "POST",
    path: "/project/{projectId}/views/positions",
    tag,
    summary: "Set the positions of views, by their ids",
    access: "manage_resources",
    body: positionsForm,
    status: 204,
  }),
  listTemplates: operation({
    id: "listViewTemplates",
    method: "GET",
    path: "/project/{projectId}/views/{viewId}/templates",
    tag,
    summary: "The task templates of a view, each with its newest task",
    access: "member",
    answer: z.array(templateSchema),
    sort: TEMPLATE_COLUMNS,
  }),
};
