import * as z from "zod";
import { operation } from "../../access/operation.ts";
import { referencesSchema } from "../../references/schema.ts";
import { questionChoicesSchema } from "../../surveys/schema.ts";
import { templateFilter } from "../../templates/filter.ts";
import {
  descriptionForm,
  TEMPLATE_COLUMNS,
  templateForm,
  templateSchema,
} from "../../templates/schema.ts";
import { describeTemplate } from "../../templates/description.ts";
import { getTemplate } from "../../templates/service.ts";
import { createCheckedTemplate, updateCheckedTemplate } from "../../triggers/checks/templates.ts";
import { listSurveyChoices } from "../../queue/inputs/survey_context.ts";
import { referencesTo } from "../../references/service.ts";
import { deleteTemplate } from "../../maintenance/templates.ts";
import { templateList } from "../../templates/lists.ts";

const tag = "Task templates";

export const templateOperations = [
  operation({
    id: "listTemplates",
    method: "GET",
    path: "/project/{projectId}/templates",
    tag,
    summary: "List the templates of a project",
    details: "Each has its latest task.",
    access: "member",
    query: templateFilter,
    answer: z.array(templateSchema),
    sort: TEMPLATE_COLUMNS,
    run: ({ scope, url, query }) => templateList(scope, { sort: url.searchParams, filter: query }),
  }),
  operation({
    id: "createTemplate",
    method: "POST",
    path: "/project/{projectId}/templates",
    tag,
    summary: "Create a template",
    access: "manage_resources",
    body: templateForm,
    answer: templateSchema,
    run: ({ scope, body }) => createCheckedTemplate(scope, body),
  }),
  operation({
    id: "getTemplate",
    method: "GET",
    path: "/project/{projectId}/templates/{templateId}",
    tag,
    summary: "Get a template",
    details: "It has its latest task.",
    access: "member",
    answer: templateSchema,
    run: ({ scope, ids }) => getTemplate(scope, ids.templateId),
  }),
  operation({
    id: "listChoices",
    method: "GET",
    path: "/project/{projectId}/templates/{templateId}/choices",
    tag,
    summary: "List the current choices of a template's survey",
    details:
      "Only questions with choices are listed. If a source cannot be read, its last list is used.",
    access: "run_tasks",
    answer: z.array(questionChoicesSchema),
    run: ({ scope, ids }) => listSurveyChoices(scope, ids.templateId),
  }),
  operation({
    id: "updateTemplate",
    method: "PUT",
    path: "/project/{projectId}/templates/{templateId}",
    tag,
    summary: "Update a template",
    access: "manage_resources",
    body: templateForm,
    errors: [409],
    run: ({ scope, ids, body, expected }) =>
      updateCheckedTemplate(scope, ids.templateId, body, expected),
  }),
  operation({
    id: "setTemplateDescription",
    method: "PUT",
    path: "/project/{projectId}/templates/{templateId}/description",
    tag,
    summary: "Update the description of a template alone",
    access: "manage_resources",
    body: descriptionForm,
    run: ({ scope, ids, body }) => describeTemplate(scope, ids.templateId, body),
  }),
  operation({
    id: "deleteTemplate",
    method: "DELETE",
    path: "/project/{projectId}/templates/{templateId}",
    tag,
    summary: "Delete a template",
    details: "Its schedules and its history are deleted too.",
    access: "manage_resources",
    errors: [409],
    run: ({ scope, ids, expected }) => deleteTemplate(scope, ids.templateId, expected),
  }),
  operation({
    id: "getTemplateReferences",
    method: "GET",
    path: "/project/{projectId}/templates/{templateId}/refs",
    tag,
    summary: "List the uses of a template",
    details:
      "A template cannot be deleted while other templates deploy its builds or integrations " +
      "start it.",
    access: "member",
    answer: referencesSchema,
    run: ({ scope, ids }) => referencesTo(scope, ["templates", ids.templateId]),
  }),
];
