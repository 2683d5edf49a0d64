import { staleEvent } from "@/lib/base/server_event.ts";
import { openStream } from "@/lib/web/event_stream.ts";
import { define } from "@/lib/web/state.ts";
import { followRuns } from "@/lib/workflows/runs/follow.ts";
import { readBefore } from "@/routes/(_pages)/history.ts";
import { readRunsQuery, runFilterOf } from "@/routes/(_pages)/runs.ts";

/** Reports each change of a page of runs, so that it reloads. */
export const handler = define.handlers({
  GET({ state, req, url: { searchParams } }) {
    const { scope, ui } = state;
    const asked = req.headers.get("Last-Event-ID") ?? searchParams.get("since") ?? "";
    const version = /^\w*$/.test(asked) ? asked : "";
    const filter = runFilterOf(readRunsQuery(searchParams), ui.timeZone, readBefore(searchParams));
    return openStream(state, req.headers, async function* (gone) {
      yield { id: version };
      for await (const now of followRuns(scope, filter, version, gone)) yield staleEvent(now);
    });
  },
});
