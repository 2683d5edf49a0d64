import { page } from "fresh";
import { REFRESH, SurveyAnswers } from "@/components/surveys/SurveyAnswers.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Field } from "@/components/ui/forms/Field.tsx";
import { Form } from "@/components/ui/forms/Form.tsx";
import { Breadcrumb, Title } from "@/components/ui/Page.tsx";
import { makeOnce } from "@/lib/access/sent_forms.ts";
import { reopen } from "@/lib/access/scope.ts";
import { answerLabels, answersIn, defaultAnswers } from "@/lib/surveys/answer_fields.ts";
import { parseWith } from "@/lib/base/parse.ts";
import { paths } from "@/lib/base/paths.ts";
import { type FormState, newForm, newOnce, saveForm } from "@/lib/web/forms/form.ts";
import { LONG_FORM_BYTES_MAX, readForm } from "@/lib/web/forms/read_form.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";
import { define, type State } from "@/lib/web/state.ts";
import type { WorkflowView } from "@/lib/workflows/schema.ts";
import { startRunForm } from "@/lib/workflows/run_schema.ts";
import { startRun } from "@/lib/workflows/runs/start.ts";
import { getWorkflow } from "@/lib/workflows/service.ts";
import { askedByWorkflow } from "@/routes/(_pages)/survey_answers.ts";
import { answerErrors } from "@/routes/(_pages)/tasks_form.ts";

async function readWorkflow({ shell, scope }: State, idText: string) {
  requirePermission(shell, "run_tasks");
  return await getWorkflow(scope, pageId(idText));
}

async function formPage(
  { scope }: State,
  workflow: WorkflowView,
  form: FormState,
  { status = 200, refresh }: { status?: number; refresh?: string } = {},
) {
  const asked = await askedByWorkflow(scope, workflow, form.values, refresh);
  return page({ workflow, form, asked }, { status });
}

export const handler = define.handlers({
  async GET({ state, params }) {
    const workflow = await readWorkflow(state, params.workflowId);
    const form = restoredForm(state) ??
      newForm({ ...defaultAnswers(workflow.survey_vars), ...newOnce() });
    return await formPage(state, workflow, form);
  },

  async POST(ctx) {
    const { state, params, req } = ctx;
    const { scope } = state;
    const workflow = await readWorkflow(state, params.workflowId);
    const { [REFRESH]: refresh, ...values } = await readForm(req, LONG_FORM_BYTES_MAX);
    if (refresh) {
      return await formPage(state, workflow, { values, errors: {}, isRedrawn: true }, { refresh });
    }
    const input = {
      message: values.message,
      environment: answersIn(workflow.survey_vars, values, "open"),
      secret: answersIn(workflow.survey_vars, values, "secret"),
    };
    const started = await saveForm(
      { ok: true, value: input, values, errors: {} },
      async (input) => {
        const opened = await reopen(scope, "run_tasks");
        return await makeOnce(
          opened,
          `run ${workflow.id}`,
          values,
          (also) => startRun(opened, workflow.id, parseWith(startRunForm, input), { also }),
        );
      },
    );
    if (!started.ok) {
      const errors = answerErrors(workflow, started.errors);
      return await formPage(state, workflow, { values, errors }, { status: 422 });
    }
    return seeOther(ctx, paths.workflowRun(scope.projectId, workflow.id, started.result));
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => {
  const { workflow, form, asked } = data;
  const { id, name, start_warning: warning, survey_vars: survey } = workflow;
  const { id: projectId, name: projectName } = shell.project;
  const title = ui.t("workflows.run_named", { name });
  const back = ui.href(paths.workflow(projectId, id));
  return (
    <>
      <Title ui={ui} parts={[title, projectName]} />
      <Dialog
        ui={ui}
        id="run-workflow"
        title={title}
        above={<Breadcrumb ui={ui} crumbs={[{ label: name, href: back }]} />}
        close={back}
      >
        <Form
          ui={ui}
          form={form}
          action={ui.href(paths.workflow(projectId, id, "/run"))}
          cancel={back}
          save={ui.t("workflows.run")}
          labels={{ message: ui.t("start_task.message"), ...answerLabels(survey) }}
        >
          {warning && <Alert kind="warning">{warning}</Alert>}
          <Field
            ui={ui}
            form={form}
            name="message"
            label={ui.t("start_task.message")}
            maxLength={1000}
            autofocus
          />
          <SurveyAnswers ui={ui} form={form} survey={survey} asked={asked} />
        </Form>
      </Dialog>
    </>
  );
});
