import { page } from "fresh";
import { WorkflowPage } from "@/components/workflows/WorkflowPage.tsx";
import { paths } from "@/lib/base/paths.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { readShownRules } from "@/lib/rights/shown_rule.ts";
import { define } from "@/lib/web/state.ts";
import { readRunStats } from "@/lib/workflows/runs/trends.ts";
import { stepTrends } from "@/lib/workflows/step_trends.ts";
import { getShownRuns } from "@/lib/workflows/runs/follow.ts";
import { getWorkflow } from "@/lib/workflows/service.ts";
import { runFilterOf } from "@/routes/(_pages)/workflows/runs.ts";
import {
  drawnWorkflow,
  linkedSteps,
  stepNames,
  triggersOf,
} from "@/routes/(_pages)/workflows/workflows.ts";

export const handler = define.handlers({
  async GET({ state: { scope, ui, deps }, params }) {
    const workflow = await getWorkflow(scope, pageId(params.workflowId));
    const [names, rules, { runs, version }, layout, stats, triggers] = await Promise.all([
      stepNames(scope),
      readShownRules(scope, ["workflows", workflow.id], workflow),
      getShownRuns(scope, runFilterOf({ workflow: workflow.id }, ui.timeZone)),
      drawnWorkflow(scope, ui, workflow, linkedSteps(workflow.steps)),
      readRunStats(scope, workflow.id),
      triggersOf(scope, workflow.id),
    ]);
    const trends = stepTrends(stats);
    const asked = new URLSearchParams({ workflow: `${workflow.id}`, since: version });
    const live = `${ui.href(paths.runsEvents(workflow.project_id))}?${asked}`;
    const shown = { live, workflow, names, rules, runs, layout, trends, ...triggers };
    return page({ ...shown, now: deps.clock.now() });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <WorkflowPage ui={ui} shell={shell} {...data} />
));
