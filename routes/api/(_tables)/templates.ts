import { describeTemplate } from "@/lib/templates/description.ts";
import { templateOperations } from "@/lib/templates/operations.ts";
import { getTemplate } from "@/lib/templates/service.ts";
import { createCheckedTemplate, updateCheckedTemplate } from "@/lib/triggers/checks/templates.ts";
import { listSurveyChoices } from "@/lib/queue/inputs/survey_context.ts";
import { referencesTo } from "@/lib/references/service.ts";
import { deleteTemplate } from "@/lib/maintenance/templates.ts";
import { bind } from "@/lib/web/api/bind.ts";
import { templateList } from "./template_list.ts";

export const templates = bind(templateOperations, {
  list: ({ scope, url, query }) => templateList(scope, { sort: url.searchParams, filter: query }),
  create: ({ scope, body }) => createCheckedTemplate(scope, body),
  get: ({ scope, ids }) => getTemplate(scope, ids.templateId),
  choices: ({ scope, ids }) => listSurveyChoices(scope, ids.templateId),
  update: ({ scope, ids, body, expected }) =>
    updateCheckedTemplate(scope, ids.templateId, body, expected),
  describe: ({ scope, ids, body }) => describeTemplate(scope, ids.templateId, body),
  delete: ({ scope, ids, expected }) => deleteTemplate(scope, ids.templateId, expected),
  references: ({ scope, ids }) => referencesTo(scope, ["templates", ids.templateId]),
});
