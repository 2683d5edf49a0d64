import { REFRESH, SurveyAnswers } from "@/components/surveys/SurveyAnswers.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Field } from "@/components/ui/forms/Field.tsx";
import { Form } from "@/components/ui/forms/Form.tsx";
import { Breadcrumb, Title } from "@/components/ui/Page.tsx";
import { makeOnce } from "@/lib/access/sent_forms.ts";
import { parseWith } from "@/lib/base/parse.ts";
import { paths } from "@/lib/base/paths.ts";
import { answerLabels, answersIn, defaultAnswers } from "@/lib/surveys/answer_fields.ts";
import { newForm, newOnce } from "@/lib/web/forms/form.ts";
import { LONG_FORM_BYTES_MAX } from "@/lib/web/forms/read_form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asMember } from "@/lib/web/rights.ts";
import { define } from "@/lib/web/state.ts";
import { startRunForm } from "@/lib/workflows/run_schema.ts";
import { startRun } from "@/lib/workflows/runs/start.ts";
import { getWorkflow } from "@/lib/workflows/service.ts";
import { askedByWorkflow } from "@/routes/(_pages)/tasks/survey_answers.ts";
import { answerErrors } from "@/routes/(_pages)/tasks/form.ts";

export const handler = formPage({
  rights: asMember("run_tasks"),
  find: async (scope, { params }) => ({
    workflow: await getWorkflow(scope, pageId(params.workflowId)),
  }),
  shown: ({ workflow }) => newForm({ ...defaultAnswers(workflow.survey_vars), ...newOnce() }),
  bytesMax: LONG_FORM_BYTES_MAX,
  button: ({ [REFRESH]: refresh, ...values }) =>
    refresh ? { form: { values, errors: {}, isRedrawn: true }, extra: refresh } : null,
  save({ scope, typed, found: { workflow: { id, survey_vars } } }) {
    const input = {
      message: typed.message,
      environment: answersIn(survey_vars, typed, "open"),
      secret: answersIn(survey_vars, typed, "secret"),
    };
    return makeOnce(
      scope,
      `run ${id}`,
      typed,
      (also) => startRun(scope, id, parseWith(startRunForm, input), { also }),
    );
  },
  errorsAt: (errors, _typed, { workflow }) => answerErrors(workflow, errors),
  next: ({ scope, found: { workflow }, result }) => [
    paths.workflowRun(scope.projectId, workflow.id, result),
  ],
  beside: async ({ values }, { workflow }, { state: { scope } }, refresh) => ({
    asked: await askedByWorkflow(scope, workflow, values, refresh),
  }),
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
            autofocus
          />
          <SurveyAnswers ui={ui} form={form} survey={survey} asked={asked} />
        </Form>
      </Dialog>
    </>
  );
});
