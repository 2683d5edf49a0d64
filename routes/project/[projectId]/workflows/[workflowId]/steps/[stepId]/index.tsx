import { withoutBlankAnswers } from "@/lib/surveys/answer_fields.ts";
import { page } from "fresh";
import { openSurvey } from "@/components/workflows/step_labels.ts";
import { REFRESH } from "@/components/surveys/SurveyAnswers.tsx";
import { stepName } from "@/components/workflows/step_texts.ts";
import { StepForm } from "@/components/workflows/StepForm.tsx";
import { ChooseTemplate } from "@/components/workflows/ChooseTemplate.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Breadcrumb, Title } from "@/components/ui/Page.tsx";
import { wordsFor } from "@/lib/base/lists/find_choice.ts";
import { AppError } from "@/lib/base/errors.ts";
import { listNumber } from "@/lib/base/lists/list_query.ts";
import { paths } from "@/lib/base/paths.ts";
import { versionOf } from "@/lib/base/version.ts";
import { listMembers } from "@/lib/people/team/service.ts";
import { inventoryService } from "@/lib/resources/inventories/service.ts";
import { outlinesByName } from "@/lib/templates/outlines.ts";
import { getTemplate } from "@/lib/templates/service.ts";
import { suggestedBranches } from "@/lib/uses/branches.ts";
import { expectedOf, refusedForm, storedForm } from "@/lib/web/forms/conflict.ts";
import { type FormState, saveForm } from "@/lib/web/forms/form.ts";
import { LONG_FORM_BYTES_MAX, readForm } from "@/lib/web/forms/read_form.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";
import { define, type State } from "@/lib/web/state.ts";
import { type Step, STEP_KINDS, type StepKind } from "@/lib/workflows/schema.ts";
import { getWorkflow, listWorkflows } from "@/lib/workflows/service.ts";
import { askedInForm } from "@/routes/(_pages)/survey_answers.ts";
import { stepErrors, stepInput, stepValues } from "@/routes/(_pages)/workflow_step_form.ts";
import { changeSteps, stepNames, stepOf } from "@/routes/(_pages)/workflows.ts";

/** Reads the workflow and the step to change, with the kind and template of a new one. */
async function readStep(
  { shell, scope }: State,
  params: Record<string, string>,
  sent: { kind?: string | null; template?: string | null },
) {
  requirePermission(shell, "manage_resources");
  const workflow = await getWorkflow(scope, pageId(params.workflowId));
  const current = params.stepId === "new" ? null : stepOf(workflow, pageId(params.stepId));
  const kind = current?.kind ?? STEP_KINDS.find((kind) => kind === sent.kind);
  if (!kind) throw new AppError(400, "errors.invalid_form");
  const chosen = listNumber().parse(sent.template) ?? null;
  const templateId = chosen ?? (current?.kind === "template" ? current.template_id : null);
  return { workflow, current, kind, templateId };
}
type Read = Awaited<ReturnType<typeof readStep>>;

async function formPage(
  { scope, ui }: State,
  { workflow, current, kind, templateId }: Read,
  form: FormState,
  { status = 200, refresh }: { status?: number; refresh?: string } = {},
) {
  const isTask = kind === "template";
  const nested = Number(form.values.workflow_id) || null;
  const [names, templates, template, workflows, inventories, members] = await Promise.all([
    stepNames(scope),
    isTask ? outlinesByName(scope, ui.language) : [],
    isTask && templateId !== null ? getTemplate(scope, templateId) : null,
    kind === "workflow" ? listWorkflows(scope) : [],
    isTask ? inventoryService.list(scope) : [],
    kind === "approval" ? listMembers(scope) : [],
  ]);
  const branches = await suggestedBranches(scope, template);
  const survey = template?.survey_vars ?? workflows.find(({ id }) => id === nested)?.survey_vars;
  const asked = template
    ? await askedInForm(
      scope,
      { ...template, survey_vars: openSurvey(survey ?? []) },
      withoutBlankAnswers(survey ?? [], form.values),
      refresh,
    )
    : [];
  return page({
    form,
    asked,
    kind,
    current,
    templates,
    template,
    workflow: {
      ...workflow,
      steps: workflow.steps.filter(({ id }) => id !== current?.id)
        .map((step) => ({ ...step, name: stepName(ui, step, names) })),
    },
    workflows: workflows.filter(({ id }) => id !== workflow.id),
    inventories,
    branches,
    people: members,
    survey: survey ?? [],
  }, { status });
}

const formOf = ({ workflow, current }: Read): FormState =>
  storedForm(stepValues(current), versionOf(workflow));

export const handler = define.handlers({
  async GET({ state, params, url }) {
    const { searchParams: query } = url;
    const sent = { kind: query.get("kind"), template: query.get("template") };
    const read = await readStep(state, params, sent);
    return await formPage(state, read, restoredForm(state) ?? formOf(read));
  },

  async POST(ctx) {
    const { state, params, req } = ctx;
    const { scope } = state;
    const { [REFRESH]: refresh, ...values } = await readForm(req, LONG_FORM_BYTES_MAX);
    const read = await readStep(state, params, { ...values, template: values.template_id });
    const { workflow, current, kind, templateId } = read;
    if (refresh) {
      return await formPage(state, read, { values, errors: {}, isRedrawn: true }, { refresh });
    }
    const template = kind === "template" && templateId
      ? await getTemplate(scope, templateId)
      : null;
    const nested = Number(values.workflow_id) || 0;
    const survey = template?.survey_vars ??
      (kind === "workflow" && nested ? (await getWorkflow(scope, nested)).survey_vars : []);
    const { steps } = workflow;
    const position = current ? steps.indexOf(current) : steps.length;
    const others = steps.filter((step) => step !== current).map(({ id }) => id);
    const step = stepInput(values, { kind, template, survey, others, current });
    const saved = await saveForm(
      { ok: true, value: step, values, errors: {} },
      (step) => {
        const changed = current ? steps.with(position, step as Step) : [...steps, step];
        return changeSteps(scope, workflow, changed, expectedOf(values));
      },
    );
    if (!saved.ok) {
      const errors = stepErrors(saved.errors, position, survey);
      const readNow = async () => formOf(await readStep(state, params, values));
      const refused = await refusedForm(values, errors, readNow);
      return await formPage(state, read, refused.form, { status: refused.status });
    }
    return seeOther(ctx, paths.workflow(scope.projectId, workflow.id));
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell }, url }) => {
  const { workflow, current, kind, template, templates, ...rest } = data;
  const { id: projectId, name } = shell.project;
  const back = ui.href(paths.workflow(projectId, workflow.id));
  const action = ui.href(paths.workflowStep(projectId, workflow.id, current?.id ?? "new"));
  const title = current
    ? ui.t("workflows.edit_step")
    : ui.t(`workflows.add.${kind satisfies StepKind}`);
  return (
    <>
      <Title ui={ui} parts={[title, workflow.name, name]} />
      <Dialog
        ui={ui}
        id="step-form"
        title={title}
        width="medium"
        above={<Breadcrumb ui={ui} crumbs={[{ label: workflow.name, href: back }]} />}
        close={back}
      >
        {kind === "template" && (
          <ChooseTemplate
            {...{ ui, action, templates, template }}
            words={wordsFor(url, "template")}
          />
        )}
        {(kind !== "template" || template) && (
          <StepForm
            ui={ui}
            {...{ ...rest, workflow, kind, template, action }}
            cancel={back}
            isNew={current === null}
          />
        )}
      </Dialog>
    </>
  );
});
