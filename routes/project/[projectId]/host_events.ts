import { followHosts } from "@/lib/hosts/follow_hosts.ts";
import { openStream } from "@/lib/web/event_stream.ts";
import { define } from "@/lib/web/state.ts";

/** Reports changes of the list of hosts, so that its page reloads. */
export const handler = define.handlers({
  GET: (ctx) => openStream(ctx, (gone, since) => followHosts(ctx.state.scope, since, gone)),
});
