import { voteForm } from "@/lib/approvals/schema.ts";
import { reopen } from "@/lib/access/scope.ts";
import { parseWith } from "@/lib/base/parse.ts";
import { paths } from "@/lib/base/paths.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define } from "@/lib/web/state.ts";
import { vote } from "@/lib/workflows/runs/vote.ts";

/** Approves or rejects a step that waits for it. */
export const handler = define.handlers({
  async POST(ctx) {
    const { state: { scope }, params, req } = ctx;
    const [workflowId, runId] = [pageId(params.workflowId), pageId(params.runId)];
    const form = parseWith(voteForm, await readForm(req));
    await vote(await reopen(scope, "run_tasks"), workflowId, runId, pageId(params.stepId), form);
    return seeOther(ctx, paths.workflowRun(scope.projectId, workflowId, runId));
  },
});
