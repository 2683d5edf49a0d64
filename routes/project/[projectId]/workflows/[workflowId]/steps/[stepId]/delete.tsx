import { stepName } from "@/components/workflows/step_texts.ts";
import { paths } from "@/lib/base/paths.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asMember } from "@/lib/web/rights.ts";
import { getWorkflow } from "@/lib/workflows/service.ts";
import { confirmPage } from "@/routes/(_pages)/confirm_page.tsx";
import {
  changeSteps,
  stepNames,
  stepOf,
  withoutStep,
} from "@/routes/(_pages)/workflows/workflows.ts";

const { handler, Page } = confirmPage({
  rights: asMember("manage_resources"),
  async find(scope, { params }) {
    const workflow = await getWorkflow(scope, pageId(params.workflowId));
    const step = stepOf(workflow, pageId(params.stepId));
    return { workflow, step, names: await stepNames(scope) };
  },
  ask: (ui, { workflow, step, names }, { scope }) => ({
    title: ui.t("workflows.delete_step"),
    parts: [workflow.name],
    question: ui.t("workflows.delete_step_question", { name: stepName(ui, step, names) }),
    cancel: paths.workflow(scope.projectId, workflow.id),
  }),
  act: (scope, { workflow, step }) =>
    changeSteps(scope, workflow, withoutStep(workflow.steps, step.id)),
  next: ({ workflow }, { state: { scope } }) => [paths.workflow(scope.projectId, workflow.id)],
});
export { handler, Page as default };
