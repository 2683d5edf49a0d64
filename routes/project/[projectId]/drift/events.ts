import { followDrift } from "@/lib/drift/follow_drift.ts";
import { openStream } from "@/lib/web/event_stream.ts";
import { define } from "@/lib/web/state.ts";

/** Reports changes of the states of hosts, so that their pages reload. */
export const handler = define.handlers({
  GET: (ctx) => openStream(ctx, (gone, since) => followDrift(ctx.state.scope, since, gone)),
});
