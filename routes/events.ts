import { define } from "@/lib/web/state.ts";
import { openStream } from "@/lib/web/event_stream.ts";
import { whenAborted } from "@/lib/base/abort.ts";

/** Event stream without events, for pages that have no other to notice a lost server by. */
export const handler = define.handlers({
  GET: ({ state }) =>
    openStream(state, new Headers(), async function* (gone) {
      yield {}; // Readers ignore an event without data.
      const { promise, resolve } = Promise.withResolvers<void>();
      whenAborted(gone, resolve);
      await promise;
    }),
});
