import { reopen } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define } from "@/lib/web/state.ts";
import { stopRun } from "@/lib/workflows/runs/stop.ts";

export const handler = define.handlers({
  async POST(ctx) {
    const { state: { scope }, params, req } = ctx;
    const [workflowId, runId] = [pageId(params.workflowId), pageId(params.runId)];
    const { force = "" } = await readForm(req);
    await stopRun(await reopen(scope), workflowId, runId, force !== "");
    return seeOther(ctx, paths.workflowRun(scope.projectId, workflowId, runId));
  },
});
