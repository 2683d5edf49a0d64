import { followHosts } from "@/lib/hosts/follow_hosts.ts";
import { openStaleStream } from "@/lib/web/event_stream.ts";
import { define } from "@/lib/web/state.ts";

/** Reports changes of the list of hosts, so that its page reloads. */
export const handler = define.handlers({
  GET: ({ state, req, url }) =>
    openStaleStream(
      state,
      { headers: req.headers, url },
      (since, gone) => followHosts(state.scope, since, gone),
    ),
});
