import { whenAborted } from "../base/abort.ts";
import { merge } from "../base/merge.ts";
import type { ServerEvent } from "../base/server_event.ts";
import { createPlaces } from "../base/places.ts";
import { eventStream } from "./event_stream.ts";
import { type State, userScope } from "./state.ts";

/** Limits the event streams of one account. Each open page has one, and clients follow tasks. */
const streams = createPlaces(250, "errors.too_many_streams");

/**
 * Opens an event stream for the signed-in user. Throws 429 if they have too many, because each one
 * uses memory.
 */
export function openStream(
  state: State,
  asked: Headers,
  begin: (gone: AbortSignal) => AsyncGenerator<ServerEvent>,
): Response {
  const { deps, actor } = userScope(state);
  const giveBack = streams.take(deps.kv, actor.id);
  return eventStream(asked, (gone) => {
    // The stream may end before it was started, and then `atEnd` is never called.
    whenAborted(gone, giveBack);
    return merge([begin(gone)], { atEnd: giveBack });
  });
}
