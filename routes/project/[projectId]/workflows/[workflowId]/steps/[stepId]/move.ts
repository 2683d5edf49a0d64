import { paths } from "@/lib/base/paths.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define } from "@/lib/web/state.ts";
import { getWorkflow } from "@/lib/workflows/service.ts";
import { changeSteps, stepOf } from "@/routes/(_pages)/workflows/workflows.ts";

/** Moves a step to another position in the list. */
export const handler = define.handlers({
  async POST(ctx) {
    const { state: { scope }, params, req } = ctx;
    const { to = "" } = await readForm(req);
    const workflow = await getWorkflow(scope, pageId(params.workflowId));
    const { steps } = workflow;
    const step = stepOf(workflow, pageId(params.stepId));
    const from = steps.indexOf(step);
    const position = Math.max(0, Math.min(steps.length - 1, Number(to) || 0));
    if (position !== from) {
      await changeSteps(scope, workflow, steps.toSpliced(from, 1).toSpliced(position, 0, step));
    }
    return seeOther(ctx, `${paths.workflow(scope.projectId, workflow.id)}#step-${step.id}`);
  },
});
