import { whenAborted } from "../base/abort.ts";
import { merge } from "../base/merge.ts";
import type { ServerEvent } from "../base/server_event.ts";
import { createPlaces } from "../base/places.ts";
import { eventStream } from "./event_stream.ts";
import { type State, userScope } from "./state.ts";

/** Event streams of one account at once: each page that is open has one, and clients follow tasks. */
const streams = createPlaces(250, "errors.too_many_streams");

/** The event stream of who is signed in. Throws 429 where they have too many: each costs memory. */
export function openStream(
  state: State,
  asked: Headers,
  begin: (gone: AbortSignal) => AsyncGenerator<ServerEvent>,
): Response {
  const { deps, actor } = userScope(state);
  const giveBack = streams.take(deps.kv, actor.id);
  return eventStream(asked, (gone) => {
    // It may be gone before it was begun, and then it has no end of its own.
    whenAborted(gone, giveBack);
    return merge([begin(gone)], { atEnd: giveBack });
  });
}
