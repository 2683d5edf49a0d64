import { openStream } from "@/lib/web/event_stream.ts";
import { define } from "@/lib/web/state.ts";
import { followRuns } from "@/lib/workflows/runs/follow.ts";
import { readBefore } from "@/routes/(_pages)/history.ts";
import { readRunsQuery, runFilterOf } from "@/routes/(_pages)/workflows/runs.ts";

/** Reports each change of a page of runs, so that it reloads. */
export const handler = define.handlers({
  GET(ctx) {
    const { state: { scope, ui }, url: { searchParams } } = ctx;
    const filter = runFilterOf(readRunsQuery(searchParams), ui.timeZone, readBefore(searchParams));
    return openStream(ctx, (gone, since) => followRuns(scope, filter, since, gone));
  },
});
