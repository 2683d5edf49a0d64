import { page } from "fresh";
import { RunPage } from "@/components/workflows/RunPage.tsx";
import { paths } from "@/lib/base/paths.ts";
import { mayStop } from "@/lib/queue/ending/may_stop.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { define } from "@/lib/web/state.ts";
import { getShownRun } from "@/lib/workflows/runs/follow.ts";
import { drawnWorkflow } from "@/routes/(_pages)/workflows/workflows.ts";

export const handler = define.handlers({
  async GET({ state: { scope, ui, deps }, params }) {
    const { run, version } = await getShownRun(
      scope,
      pageId(params.workflowId),
      pageId(params.runId),
    );
    const layout = await drawnWorkflow(
      scope,
      ui,
      { id: run.workflow_id, version: run.version },
      run.steps,
    );
    const may_stop = mayStop(scope, [run.user_id]);
    return page({ run, layout, version, mayStop: may_stop, now: deps.clock.now() });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => {
  const { version, ...shown } = data;
  const { project_id, workflow_id, id, end } = shown.run;
  const events = ui.href(paths.workflowRun(project_id, workflow_id, id, "/events"));
  return (
    <div id="live" data-live={end === null ? `${events}?since=${version}` : undefined}>
      <RunPage ui={ui} shell={shell} {...shown} />
    </div>
  );
});
