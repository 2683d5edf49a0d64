import { ruleFormObject, typedRule } from "@/components/access/RuleSection.tsx";
import { WorkflowForm } from "@/components/workflows/WorkflowForm.tsx";
import { paths } from "@/lib/base/paths.ts";
import { listAllRoles } from "@/lib/people/roles/service.ts";
import { listMembers } from "@/lib/people/team/service.ts";
import { outlinesByName } from "@/lib/templates/outlines.ts";
import { formOf } from "@/lib/web/forms/conflict.ts";
import { parseValues } from "@/lib/web/forms/form.ts";
import { LONG_FORM_BYTES_MAX } from "@/lib/web/forms/read_form.ts";
import { withoutGaps } from "@/lib/web/forms/rows.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asMember } from "@/lib/web/rights.ts";
import { define, type State } from "@/lib/web/state.ts";
import { workflowForm } from "@/lib/workflows/schema.ts";
import { createWorkflow, getWorkflow, updateWorkflow } from "@/lib/workflows/service.ts";
import {
  foldSurveyErrors,
  surveyFormObject,
  unfoldSurvey,
} from "@/routes/(_pages)/templates/survey_form.ts";
import { withOtherRows } from "@/routes/(_pages)/templates/form.ts";

const buildsOf = async ({ scope, ui }: State) =>
  (await outlinesByName(scope, ui.language)).filter(({ type }) => type === "build");

export const handler = formPage({
  rights: asMember("manage_resources"),
  find: async (scope, { params }) => ({
    workflow: params.workflowId === "new"
      ? null
      : await getWorkflow(scope, pageId(params.workflowId)),
  }),
  shown({ workflow }) {
    if (!workflow) return formOf(null);
    const { name, description, start_warning, build_template_id } = workflow;
    const survey_vars = surveyFormObject(workflow.survey_vars);
    const settings = { name, description, start_warning, build_template_id, survey_vars };
    return formOf(workflow, { ...settings, ...ruleFormObject(workflow) });
  },
  bytesMax: LONG_FORM_BYTES_MAX,
  button(sent) {
    const values = withOtherRows(sent);
    return values && { form: { values, errors: {} } };
  },
  read: withoutGaps,
  parse: (typed) => parseValues(unfoldSurvey(typed), workflowForm),
  errorsAt: foldSurveyErrors,
  choices: async (_found, { state }) => ({ build_template_id: await buildsOf(state) }),
  async save({ scope, value, typed, found: { workflow }, expected }) {
    const build_template_id = value.build_template_id ?? 0;
    const steps = workflow?.steps ?? [];
    const whole = { ...value, ...typedRule(typed, value), build_template_id, steps };
    if (!workflow) return (await createWorkflow(scope, whole)).id;
    await updateWorkflow(scope, workflow.id, whole, expected);
    return workflow.id;
  },
  next: ({ scope, value: { name }, found: { workflow }, result }) => [
    paths.workflow(scope.projectId, result),
    workflow ? "flash.workflows.saved" : "flash.workflows.created",
    { name },
  ],
  beside: async (_form, _found, { state }) => ({
    builds: await buildsOf(state),
    people: await listMembers(state.scope),
    roles: await listAllRoles(state.scope),
  }),
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <WorkflowForm ui={ui} shell={shell} {...data} />
));
