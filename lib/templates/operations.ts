import { z } from "zod";
import { operation } from "../access/operation.ts";
import { referencesSchema } from "../references/schema.ts";
import { TEMPLATE_COLUMNS, templateForm, templateSchema } from "./schema.ts";

const tag = "Task templates";

export const templateOperations = {
  list: operation({
    id: "listTemplates",
    method: "GET",
    path: "/project/{projectId}/templates",
    tag,
    summary: "The project's task templates, each with its newest task",
    access: "member",
    answer: z.array(templateSchema),
    sort: TEMPLATE_COLUMNS,
  }),
  create: operation({
    id: "createTemplate",
    method: "POST",
    path: "/project/{projectId}/templates",
    tag,
    summary: "Add a task template",
    access: "manage_resources",
    body: templateForm,
    answer: templateSchema,
  }),
  get: operation({
    id: "getTemplate",
    method: "GET",
    path: "/project/{projectId}/templates/{templateId}",
    tag,
    summary: "One task template with its newest task",
    access: "member",
    answer: templateSchema,
  }),
  update: operation({
    id: "updateTemplate",
    method: "PUT",
    path: "/project/{projectId}/templates/{templateId}",
    tag,
    summary: "Change a task template",
    access: "manage_resources",
    body: templateForm,
    errors: [409],
  }),
  delete: operation({
    id: "deleteTemplate",
    method: "DELETE",
    path: "/project/{projectId}/templates/{templateId}",
    tag,
    summary: "Delete a task template with its schedules and history",
    access: "manage_resources",
    errors: [409],
  }),
  references: operation({
    id: "getTemplateReferences",
    method: "GET",
    path: "/project/{projectId}/templates/{templateId}/refs",
    tag,
    summary: "What deploys or starts a task template, and so keeps it from being deleted",
    access: "member",
    answer: referencesSchema,
  }),
};
