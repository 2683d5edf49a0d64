import { openStream } from "@/lib/web/event_stream.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { define } from "@/lib/web/state.ts";
import { followRun } from "@/lib/workflows/runs/follow.ts";

/** Reports each change of a run, so that its page reloads. */
export const handler = define.handlers({
  GET(ctx) {
    const { params, state: { scope } } = ctx;
    const [workflowId, runId] = [pageId(params.workflowId), pageId(params.runId)];
    return openStream(
      ctx,
      (gone, version) => followRun(scope, { workflowId, runId, version }, gone),
    );
  },
});
