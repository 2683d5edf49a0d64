import { followOwnTasks } from "@/lib/alerts/own_notices.ts";
import { whenAborted } from "@/lib/base/time/abort.ts";
import { jsonEvent, type ServerEvent } from "@/lib/http/server_event.ts";
import { openStream } from "@/lib/web/event_stream.ts";
import { define, userScope } from "@/lib/web/state.ts";

/**
 * Event stream for pages that have no other to notice a lost server by. With `own`, a list of
 * events, it has a notice for each of them that happens to one's own tasks.
 */
export const handler = define.handlers({
  GET({ state, req, url }) {
    // Never compressed: there is one for almost each page, and almost nothing in it.
    const asked = { state, req: { url: req.url, headers: new Headers() } };
    async function* follow(gone: AbortSignal): AsyncGenerator<ServerEvent> {
      yield {}; // Readers ignore an event without data.
      const events = (url.searchParams.get("own") ?? "").split(",");
      const { language, href } = state.ui;
      for await (const notice of followOwnTasks(userScope(state), { events, language }, gone)) {
        const { path, ...shown } = notice;
        yield jsonEvent("notice", { ...shown, url: href(path) });
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      whenAborted(gone, resolve);
      await promise;
    }
    return openStream(asked, follow, { events: (event) => [event] });
  },
});
