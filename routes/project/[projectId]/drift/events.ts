import { followDrift } from "@/lib/drift/follow_drift.ts";
import { openStaleStream } from "@/lib/web/event_stream.ts";
import { define } from "@/lib/web/state.ts";

/** Reports changes of the states of hosts, so that their pages reload. */
export const handler = define.handlers({
  GET: ({ state, req, url }) =>
    openStaleStream(
      state,
      { headers: req.headers, url },
      (since, gone) => followDrift(state.scope, since, gone),
    ),
});
