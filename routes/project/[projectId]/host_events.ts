import { followHosts } from "@/lib/hosts/follow_hosts.ts";
import { openStream } from "@/lib/web/open_streams.ts";
import { define } from "@/lib/web/state.ts";

/** Tells that the list of hosts is not as it was: its page reads itself anew. */
export const handler = define.handlers({
  GET({ state, req, url }) {
    const asked = req.headers.get("Last-Event-ID") ?? url.searchParams.get("since") ?? "";
    const since = /^\w*$/.test(asked) ? asked : "";

    async function* events(gone: AbortSignal): AsyncGenerator<string> {
      yield `retry: 2000\nid: ${since}\n\n`;
      for await (const version of followHosts(state.scope, since, gone)) {
        yield `id: ${version}\nevent: stale\ndata:\n\n`;
      }
    }
    return openStream(state, req.headers, events);
  },
});
