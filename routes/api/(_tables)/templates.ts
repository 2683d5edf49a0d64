import { describeTemplate } from "@/lib/templates/description.ts";
import { templatesAskedFor } from "@/lib/templates/filter.ts";
import { templateOperations } from "@/lib/templates/operations.ts";
import { getTemplate, listTemplates } from "@/lib/templates/service.ts";
import { createCheckedTemplate, updateCheckedTemplate } from "@/lib/triggers/checks/templates.ts";
import { listSurveyChoices } from "@/lib/queue/survey_place.ts";
import { referencesTo } from "@/lib/references/service.ts";
import { deleteTemplate } from "@/lib/maintenance/templates.ts";
import { bind } from "@/lib/web/api/bind.ts";

export const templates = bind(templateOperations, {
  list: async ({ scope, url, query }) =>
    templatesAskedFor(await listTemplates(scope, { sort: url.searchParams }), query),
  create: ({ scope, body }) => createCheckedTemplate(scope, body),
  get: ({ scope, ids }) => getTemplate(scope, ids.templateId),
  choices: ({ scope, ids }) => listSurveyChoices(scope, ids.templateId),
  update: ({ scope, ids, body, expected }) =>
    updateCheckedTemplate(scope, ids.templateId, body, expected),
  describe: ({ scope, ids, body }) => describeTemplate(scope, ids.templateId, body),
  delete: ({ scope, ids, expected }) => deleteTemplate(scope, ids.templateId, expected),
  references: ({ scope, ids }) => referencesTo(scope, ["templates", ids.templateId]),
});
