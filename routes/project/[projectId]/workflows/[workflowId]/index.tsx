import { page } from "fresh";
import { WorkflowPage } from "@/components/workflows/WorkflowPage.tsx";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { define } from "@/lib/web/state.ts";
import { listRuns } from "@/lib/workflows/runs/view.ts";
import { getWorkflow } from "@/lib/workflows/service.ts";
import { drawnWorkflow, linkedSteps, stepNames } from "@/routes/(_pages)/workflows.ts";

/** Number of runs on the page of a workflow. */
const RUNS_SHOWN = 20;

export const handler = define.handlers({
  async GET({ state: { scope, ui, deps }, params }) {
    const workflow = await getWorkflow(scope, pageId(params.workflowId));
    const [names, runs, layout] = await Promise.all([
      stepNames(scope),
      listRuns(scope, workflow.id, { limit: RUNS_SHOWN }),
      drawnWorkflow(scope, ui, workflow, linkedSteps(workflow.steps)),
    ]);
    return page({ workflow, names, runs, layout, now: deps.clock.now() });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <WorkflowPage ui={ui} shell={shell} {...data} />
));
