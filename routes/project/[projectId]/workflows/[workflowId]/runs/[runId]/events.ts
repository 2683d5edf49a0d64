import { staleEvent } from "@/lib/base/server_event.ts";
import { openStream } from "@/lib/web/event_stream.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { define } from "@/lib/web/state.ts";
import { followRun } from "@/lib/workflows/runs/follow.ts";

/** Reports each change of a run, so that its page reloads. */
export const handler = define.handlers({
  GET({ state, req, params, url }) {
    const asked = req.headers.get("Last-Event-ID") ?? url.searchParams.get("since") ?? "";
    const version = /^\w*$/.test(asked) ? asked : "";
    const [workflowId, runId] = [pageId(params.workflowId), pageId(params.runId)];
    return openStream(state, req.headers, async function* (gone) {
      yield { id: version };
      const changes = followRun(state.scope, { workflowId, runId, version }, gone);
      for await (const now of changes) yield staleEvent(now);
    });
  },
});
