import { REFRESH } from "@/components/surveys/SurveyAnswers.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Breadcrumb, Title } from "@/components/ui/Page.tsx";
import { ChooseTemplate } from "@/components/workflows/ChooseTemplate.tsx";
import { openSurvey } from "@/components/workflows/step_labels.ts";
import { stepName } from "@/components/workflows/step_texts.ts";
import { StepForm } from "@/components/workflows/StepForm.tsx";
import type { ProjectScope } from "@/lib/access/scope.ts";
import { AppError } from "@/lib/base/errors.ts";
import { wordsFor } from "@/lib/base/lists/find_choice.ts";
import { listNumber } from "@/lib/base/lists/list_query.ts";
import { paths } from "@/lib/base/paths.ts";
import { versionOf } from "@/lib/base/version.ts";
import { listAllRoles } from "@/lib/people/roles/service.ts";
import { listMembers } from "@/lib/people/team/service.ts";
import { inventoryService } from "@/lib/resources/inventories/service.ts";
import { withoutBlankAnswers } from "@/lib/surveys/answer_fields.ts";
import type { SurveyVar } from "@/lib/surveys/schema.ts";
import { outlinesByName } from "@/lib/templates/outlines.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";
import { getTemplate } from "@/lib/templates/service.ts";
import { suggestedBranches } from "@/lib/uses/branches.ts";
import { storedForm } from "@/lib/web/forms/conflict.ts";
import { type FormValues, LONG_FORM_BYTES_MAX } from "@/lib/web/forms/read_form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asMember } from "@/lib/web/rights.ts";
import { define } from "@/lib/web/state.ts";
import { type Step, STEP_KINDS, type StepKind } from "@/lib/workflows/schema.ts";
import { ancestorsOf } from "@/lib/workflows/definition.ts";
import { getWorkflow, listWorkflows } from "@/lib/workflows/service.ts";
import { askedInForm } from "@/routes/(_pages)/tasks/survey_answers.ts";
import { stepErrors, stepInput, stepValues } from "@/routes/(_pages)/workflows/step_form.ts";
import { changeSteps, stepNames, stepOf } from "@/routes/(_pages)/workflows/workflows.ts";

/** Returns the questions of the template or workflow that a step starts. */
async function surveyOf(
  scope: ProjectScope,
  { kind, template }: { kind: StepKind; template: TemplateView | null },
  { workflow_id }: FormValues,
): Promise<SurveyVar[]> {
  if (template) return template.survey_vars;
  const nested = kind === "workflow" && Number(workflow_id);
  return nested ? (await getWorkflow(scope, nested)).survey_vars : [];
}

export const handler = formPage({
  rights: asMember("manage_resources"),
  /** Reads the workflow and the step to change, with the kind and template of a new one. */
  async find(scope, { params, url: { searchParams: query } }, sent) {
    const workflow = await getWorkflow(scope, pageId(params.workflowId));
    const current = params.stepId === "new" ? null : stepOf(workflow, pageId(params.stepId));
    const wanted = sent.kind ?? query.get("kind");
    const kind = current?.kind ?? STEP_KINDS.find((kind) => kind === wanted);
    if (!kind) throw new AppError(400, "errors.invalid_form");
    const chosen = listNumber().parse(sent.template_id ?? query.get("template")) ?? null;
    const templateId = chosen ?? (current?.kind === "template" ? current.template_id : null);
    const template = kind === "template" && templateId
      ? await getTemplate(scope, templateId)
      : null;
    return { stored: workflow, current, kind, template };
  },
  shown: ({ stored, current }) => storedForm(stepValues(current), versionOf(stored)),
  bytesMax: LONG_FORM_BYTES_MAX,
  button: ({ [REFRESH]: refresh, ...values }) =>
    refresh ? { form: { values, errors: {}, isRedrawn: true }, extra: refresh } : null,
  async save({ scope, typed, found, expected }) {
    const { stored, current, kind, template } = found;
    const { steps } = stored;
    const survey = await surveyOf(scope, found, typed);
    const others = steps.filter((step) => step !== current).map(({ id }) => id);
    const step = stepInput(typed, { kind, template, survey, others, current });
    const changed = current ? steps.with(steps.indexOf(current), step as Step) : [...steps, step];
    await changeSteps(scope, stored, changed, expected);
  },
  async errorsAt(errors, typed, found, { state: { scope } }) {
    const { stored: { steps }, current } = found;
    const position = current ? steps.indexOf(current) : steps.length;
    return stepErrors(errors, position, await surveyOf(scope, found, typed));
  },
  next: ({ scope, found: { stored } }) => [paths.workflow(scope.projectId, stored.id)],
  async beside({ values }, { stored, current, kind, template }, { state: { scope, ui } }, refresh) {
    const isTask = kind === "template";
    const nested = Number(values.workflow_id) || null;
    const [names, templates, workflows, inventories, members, roles] = await Promise.all([
      stepNames(scope),
      isTask ? outlinesByName(scope, ui.language) : [],
      kind === "workflow" ? listWorkflows(scope) : [],
      isTask ? inventoryService.list(scope) : [],
      kind === "approval" ? listMembers(scope) : [],
      kind === "approval" ? listAllRoles(scope) : [],
    ]);
    const survey = template?.survey_vars ??
      workflows.find(({ id }) => id === nested)?.survey_vars ?? [];
    const others = stored.steps.filter(({ id }) => id !== current?.id)
      .map((step) => ({ ...step, name: stepName(ui, step, names) }));
    const before = ancestorsOf(stored.steps);
    return {
      asked: template
        ? await askedInForm(
          scope,
          { ...template, survey_vars: openSurvey(survey) },
          withoutBlankAnswers(survey, values),
          refresh,
        )
        : [],
      templates,
      workflow: { ...stored, steps: others },
      // A step that waits for this one cannot come before it.
      earlier: current ? others.filter(({ id }) => !before.get(id)!.has(current.id)) : others,
      workflows: workflows.filter(({ id }) => id !== stored.id),
      inventories,
      branches: await suggestedBranches(scope, template),
      people: members,
      roles,
      survey,
    };
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell }, url }) => {
  const { stored: _, workflow, current, kind, template, templates, ...rest } = data;
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
