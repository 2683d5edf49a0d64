import { page } from "fresh";
import { stepName } from "@/components/workflows/step_texts.ts";
import { Confirm } from "@/components/ui/forms/Confirm.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { paths } from "@/lib/base/paths.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";
import { define, type State } from "@/lib/web/state.ts";
import { getWorkflow } from "@/lib/workflows/service.ts";
import { changeSteps, stepNames, stepOf, withoutStep } from "@/routes/(_pages)/workflows.ts";

async function readStep({ shell, scope }: State, params: Record<string, string>) {
  requirePermission(shell, "manage_resources");
  const workflow = await getWorkflow(scope, pageId(params.workflowId));
  return { workflow, step: stepOf(workflow, pageId(params.stepId)) };
}

export const handler = define.handlers({
  async GET({ state, params }) {
    return page({ ...await readStep(state, params), names: await stepNames(state.scope) });
  },

  async POST(ctx) {
    const { scope } = ctx.state;
    const { workflow, step } = await readStep(ctx.state, ctx.params);
    await changeSteps(scope, workflow, withoutStep(workflow.steps, step.id));
    return seeOther(ctx, paths.workflow(scope.projectId, workflow.id));
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => {
  const { workflow, step, names } = data;
  const { id: projectId, name: projectName } = shell.project;
  const name = stepName(ui, step, names);
  const title = ui.t("workflows.delete_step");
  return (
    <>
      <Title ui={ui} parts={[title, workflow.name, projectName]} />
      <Confirm
        ui={ui}
        title={title}
        question={ui.t("workflows.delete_step_question", { name })}
        action={ui.href(paths.workflowStep(projectId, workflow.id, step.id, "/delete"))}
        cancel={ui.href(paths.workflow(projectId, workflow.id))}
        yes={ui.t("actions.delete")}
      />
    </>
  );
});
