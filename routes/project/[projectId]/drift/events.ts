import { staleEvent } from "@/lib/base/server_event.ts";
import { followDrift } from "@/lib/drift/follow_drift.ts";
import { openStream } from "@/lib/web/event_stream.ts";
import { define } from "@/lib/web/state.ts";

/** Reports changes of the states of hosts, so that their pages reload. */
export const handler = define.handlers({
  GET({ state, req, url }) {
    const asked = req.headers.get("Last-Event-ID") ?? url.searchParams.get("since") ?? "";
    const since = /^\w*$/.test(asked) ? asked : "";

    return openStream(state, req.headers, async function* (gone) {
      yield { id: since };
      for await (const version of followDrift(state.scope, since, gone)) yield staleEvent(version);
    });
  },
});
