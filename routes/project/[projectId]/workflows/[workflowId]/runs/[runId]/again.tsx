import { SurveyAnswers } from "@/components/surveys/SurveyAnswers.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { Checkbox } from "@/components/ui/forms/Choice.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Form } from "@/components/ui/forms/Form.tsx";
import { Breadcrumb, Title } from "@/components/ui/Page.tsx";
import { makeOnce } from "@/lib/access/sent_forms.ts";
import { parseWith } from "@/lib/base/parse.ts";
import { paths } from "@/lib/base/paths.ts";
import { answerLabels, answersIn } from "@/lib/surveys/answer_fields.ts";
import { newForm, newOnce } from "@/lib/web/forms/form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asMember } from "@/lib/web/rights.ts";
import { define } from "@/lib/web/state.ts";
import { runAgainForm } from "@/lib/workflows/run_schema.ts";
import { runAgain } from "@/lib/workflows/runs/again.ts";
import { earlierRefusal } from "@/lib/workflows/runs/earlier.ts";
import { getRun } from "@/lib/workflows/runs/view.ts";
import { getWorkflow } from "@/lib/workflows/service.ts";
import { askedByWorkflow } from "@/routes/(_pages)/tasks/survey_answers.ts";
import { answerErrors } from "@/routes/(_pages)/tasks/form.ts";

/** Repeats a run from its failed step. Secret answers are deleted with a run, so they are asked. */
export const handler = formPage({
  rights: asMember("run_tasks"),
  async find(scope, { params }) {
    const workflowId = pageId(params.workflowId);
    const runId = pageId(params.runId);
    const [workflow, run, refusal] = await Promise.all([
      getWorkflow(scope, workflowId),
      getRun(scope, workflowId, runId),
      earlierRefusal(scope, workflowId, runId),
    ]);
    const secrets = workflow.survey_vars.filter(({ type }) => type === "secret");
    return { workflow, run, refusal, secrets };
  },
  shown: () => newForm(newOnce()),
  save({ scope, typed, found: { workflow, run } }) {
    const secret = answersIn(workflow.survey_vars, typed, "secret");
    const input = { secret, latest: typed.latest ? true : null };
    return makeOnce(
      scope,
      `again ${run.id}`,
      typed,
      (also) => runAgain(scope, workflow.id, run.id, parseWith(runAgainForm, input), also),
    );
  },
  errorsAt: (errors, _typed, { workflow }) => answerErrors(workflow, errors),
  next: ({ scope, found: { workflow }, result }) => [
    paths.workflowRun(scope.projectId, workflow.id, result),
  ],
  beside: async ({ values }, { workflow: { id }, secrets }, { state: { scope } }) => ({
    asked: await askedByWorkflow(scope, { id, survey_vars: secrets }, values),
  }),
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => {
  const { workflow, run, refusal, form, secrets, asked } = data;
  const { id: projectId, name: projectName } = shell.project;
  const title = ui.t("workflows.again");
  const back = ui.href(paths.workflowRun(projectId, workflow.id, run.id));
  const crumb = { label: ui.t("workflows.run_title", { id: run.id }), href: back };
  return (
    <>
      <Title ui={ui} parts={[title, workflow.name, projectName]} />
      <Dialog
        ui={ui}
        id="run-again"
        title={title}
        above={<Breadcrumb ui={ui} crumbs={[crumb]} />}
        close={back}
      >
        <Form
          ui={ui}
          form={form}
          action={ui.href(paths.workflowRun(projectId, workflow.id, run.id, "/again"))}
          cancel={back}
          save={ui.t("workflows.run")}
          labels={answerLabels(secrets)}
        >
          <p class="m-0">{ui.t("workflows.again_hint")}</p>
          {refusal && <Alert title={ui.t("workflows.again_latest")}>{ui.tell(refusal)}</Alert>}
          {refusal === null && run.version < workflow.version && (
            <Checkbox ui={ui} form={form} name="latest" label={ui.t("workflows.again_latest")} />
          )}
          <SurveyAnswers
            ui={ui}
            form={form}
            survey={secrets}
            asked={asked}
          />
        </Form>
      </Dialog>
    </>
  );
});
