import { page } from "fresh";
import { WorkflowForm } from "@/components/workflows/WorkflowForm.tsx";
import { reopen } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { expectedOf, formOf, refusedForm, withChoices } from "@/lib/web/forms/conflict.ts";
import { type FormState, parseValues, saveForm } from "@/lib/web/forms/form.ts";
import { LONG_FORM_BYTES_MAX, readForm } from "@/lib/web/forms/read_form.ts";
import { withoutGaps } from "@/lib/web/forms/rows.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";
import { define, type State } from "@/lib/web/state.ts";
import { outlinesByName } from "@/lib/templates/outlines.ts";
import { workflowForm, type WorkflowView } from "@/lib/workflows/schema.ts";
import { createWorkflow, getWorkflow, updateWorkflow } from "@/lib/workflows/service.ts";
import { foldSurveyErrors, surveyFormObject, unfoldSurvey } from "@/routes/(_pages)/survey_form.ts";
import { withOtherRows } from "@/routes/(_pages)/templates_form.ts";

/** Returns the workflow to change; null for a new one. */
async function readWorkflow({ shell, scope }: State, idText: string) {
  requirePermission(shell, "manage_resources");
  return idText === "new" ? null : await getWorkflow(scope, pageId(idText));
}

const storedForm = (workflow: WorkflowView | null): FormState =>
  formOf(
    workflow,
    workflow
      ? {
        name: workflow.name,
        description: workflow.description,
        start_warning: workflow.start_warning,
        build_template_id: workflow.build_template_id,
        survey_vars: surveyFormObject(workflow.survey_vars),
      }
      : {},
  );

/** Renders the form with the templates that build something. */
async function formPage(
  state: State,
  workflow: WorkflowView | null,
  form: FormState,
  status = 200,
) {
  return page({ workflow, form, builds: await buildsOf(state) }, { status });
}

const buildsOf = async ({ scope, ui }: State) =>
  (await outlinesByName(scope, ui.language)).filter(({ type }) => type === "build");

export const handler = define.handlers({
  async GET({ state, params }) {
    const workflow = await readWorkflow(state, params.workflowId);
    return await formPage(state, workflow, restoredForm(state) ?? storedForm(workflow));
  },

  async POST(ctx) {
    const { state, params, req } = ctx;
    const { scope } = state;
    const workflow = await readWorkflow(state, params.workflowId);
    const sent = await readForm(req, LONG_FORM_BYTES_MAX);
    const redrawn = withOtherRows(sent);
    if (redrawn) return await formPage(state, workflow, { values: redrawn, errors: {} });
    const values = withoutGaps(withChoices(sent, storedForm(workflow)));
    const saved = await saveForm(
      parseValues(unfoldSurvey(values), workflowForm),
      async (form) => {
        const manager = await reopen(scope, "manage_resources");
        const build_template_id = form.build_template_id ?? 0;
        const whole = { ...form, build_template_id, steps: workflow?.steps ?? [] };
        if (!workflow) return await createWorkflow(manager, whole);
        await updateWorkflow(manager, workflow.id, whole, expectedOf(values));
        return { id: workflow.id, name: form.name };
      },
    );
    if (!saved.ok) {
      const readNow = async () => storedForm(await readWorkflow(state, params.workflowId));
      const choices = { build_template_id: await buildsOf(state) };
      const errors = foldSurveyErrors(saved.errors);
      const refused = await refusedForm(values, errors, readNow, choices);
      return await formPage(state, workflow, refused.form, refused.status);
    }
    const { id, name } = saved.result;
    const done = workflow ? "flash.workflows.saved" : "flash.workflows.created";
    return seeOther(ctx, paths.workflow(scope.projectId, id), done, { name });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <WorkflowForm ui={ui} shell={shell} {...data} />
));
