import { page } from "fresh";
import { RunComparePage } from "@/components/workflows/RunComparePage.tsx";
import { listNumber } from "@/lib/base/lists/list_query.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { define } from "@/lib/web/state.ts";
import { compareWorkflowRuns } from "@/lib/workflows/runs/compare.ts";
import { listRuns } from "@/lib/workflows/runs/history.ts";
import { getWorkflow } from "@/lib/workflows/service.ts";

/** Number of runs that can be chosen. */
const CHOICES = 50;

/** Compares two runs of a workflow. `a` is the one that the user asked about. */
export const handler = define.handlers({
  async GET({ state: { scope }, params, url: { searchParams } }) {
    const workflow = await getWorkflow(scope, pageId(params.workflowId));
    const { runs: choices } = await listRuns(scope, workflow.id, { limit: CHOICES });
    const numberOf = (name: string) => listNumber().parse(searchParams.get(name) ?? undefined);
    const run = numberOf("a") ?? choices.at(0)?.id;
    const compared = run === undefined
      ? null
      : await compareWorkflowRuns(scope, workflow.id, run, numberOf("b"));
    return page({ workflow, choices, compared });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <RunComparePage ui={ui} project={shell.project.name} {...data} />
));
