import { page } from "fresh";
import { SurveyAnswers } from "@/components/surveys/SurveyAnswers.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Checkbox } from "@/components/ui/forms/Choice.tsx";
import { Form } from "@/components/ui/forms/Form.tsx";
import { Breadcrumb, Title } from "@/components/ui/Page.tsx";
import { makeOnce } from "@/lib/access/sent_forms.ts";
import { reopen } from "@/lib/access/scope.ts";
import { answerLabels, answersIn } from "@/lib/surveys/answer_fields.ts";
import { parseWith } from "@/lib/base/parse.ts";
import { paths } from "@/lib/base/paths.ts";
import { type FormState, newForm, newOnce, saveForm } from "@/lib/web/forms/form.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";
import { define, type State } from "@/lib/web/state.ts";
import { runAgainForm } from "@/lib/workflows/run_schema.ts";
import { runAgain } from "@/lib/workflows/runs/again.ts";
import { earlierRefusal } from "@/lib/workflows/runs/earlier.ts";
import { getRun } from "@/lib/workflows/runs/view.ts";
import { getWorkflow } from "@/lib/workflows/service.ts";
import { askedByWorkflow } from "@/routes/(_pages)/survey_answers.ts";
import { answerErrors } from "@/routes/(_pages)/tasks_form.ts";

async function readRun({ shell, scope }: State, params: Record<string, string>) {
  requirePermission(shell, "run_tasks");
  const workflowId = pageId(params.workflowId);
  const runId = pageId(params.runId);
  const [workflow, run, refusal] = await Promise.all([
    getWorkflow(scope, workflowId),
    getRun(scope, workflowId, runId),
    earlierRefusal(scope, workflowId, runId),
  ]);
  return { workflow, run, refusal };
}

async function formPage(
  { scope }: State,
  shown: Awaited<ReturnType<typeof readRun>>,
  form: FormState,
  status = 200,
) {
  const secrets = shown.workflow.survey_vars.filter(({ type }) => type === "secret");
  const asked = await askedByWorkflow(
    scope,
    { ...shown.workflow, survey_vars: secrets },
    form.values,
  );
  return page({ ...shown, form, secrets, asked }, { status });
}

/** Repeats a run from its failed step. Secret answers are deleted with a run, so they are asked. */
export const handler = define.handlers({
  async GET({ state, params }) {
    return await formPage(state, await readRun(state, params), newForm(newOnce()));
  },

  async POST(ctx) {
    const { state, params, req } = ctx;
    const { scope } = state;
    const shown = await readRun(state, params);
    const { workflow, run } = shown;
    const values = await readForm(req);
    const secret = answersIn(workflow.survey_vars, values, "secret");
    const started = await saveForm(
      { ok: true, value: { secret, latest: values.latest ? true : null }, values, errors: {} },
      async (input) => {
        const opened = await reopen(scope, "run_tasks");
        return await makeOnce(
          opened,
          `again ${run.id}`,
          values,
          (also) => runAgain(opened, workflow.id, run.id, parseWith(runAgainForm, input), also),
        );
      },
    );
    if (!started.ok) {
      const errors = answerErrors(workflow, started.errors);
      return await formPage(state, shown, { values, errors }, 422);
    }
    return seeOther(ctx, paths.workflowRun(scope.projectId, workflow.id, started.result));
  },
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
