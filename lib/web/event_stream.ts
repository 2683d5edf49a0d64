import { pipeline, Readable } from "node:stream";
import { constants, createGzip } from "node:zlib";
import { parseAccept } from "hono/utils/accept";
import {
  EVENT_STREAM,
  type ServerEvent,
  serverEventText,
  staleEvent,
} from "../base/server_event.ts";
import { keepAlive, textStream } from "./text_stream.ts";
import { whenAborted } from "../base/abort.ts";
import { AppError } from "../base/errors.ts";
import { merge } from "../base/merge.ts";
import { untilSignedOut } from "../access/follow.ts";
import { type State, userScope } from "./state.ts";
import { createSlots } from "../store/limiters/slots.ts";

/** Small windows, because a stream lasts for hours and there may be many. About 50 kB each. */
const GZIP = { level: 4, windowBits: 12, memLevel: 5, flush: constants.Z_SYNC_FLUSH };

/** A reader of a stream that is silent for much longer has lost the server. */
const IDLE_MS = 1_500;

/**
 * Returns a response with server-sent events. Each event is sent immediately and compressed if the
 * client accepts that. The signal passed to `begin` is aborted when the reader disconnects.
 */
export function eventStream(
  asked: Headers,
  begin: (gone: AbortSignal) => AsyncGenerator<ServerEvent>,
): Response {
  const stream = textStream((gone) => keepAlive(textsOf(begin(gone)), ": still here\n\n", IDLE_MS));
  const headers = new Headers({
    "Content-Type": EVENT_STREAM,
    "Cache-Control": "private, no-store",
    "X-Accel-Buffering": "no",
    Vary: "Accept-Encoding",
  });
  const accepted = parseAccept(asked.get("Accept-Encoding") ?? "");
  if (!accepted.some(({ type, q }) => type === "gzip" && q > 0)) {
    return new Response(stream, { headers });
  }
  headers.set("Content-Encoding", "gzip");
  return new Response(gzipped(stream), { headers });
}

async function* textsOf(events: AsyncGenerator<ServerEvent>): AsyncGenerator<string> {
  yield "retry: 2000\n\n"; // milliseconds until a browser reconnects
  for await (const event of events) yield serverEventText(event);
}

function gzipped(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const gzip = createGzip(GZIP);
  // Closes each of the two streams when the other one ends or fails.
  pipeline(Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]), gzip, () => {});
  return Readable.toWeb(gzip) as ReadableStream<Uint8Array>;
}

/** Limits the event streams of one account. Each open page has one, and clients follow tasks. */
const streams = createSlots("event streams");
const OF_ACCOUNT_MAX = 250;
const tooMany = () => new AppError(429, "errors.too_many_streams", { max: OF_ACCOUNT_MAX });

/**
 * Opens an event stream for the signed-in user, which ends when they are signed out. Throws 429 if
 * they have too many, because each one uses memory.
 */
export function openStream(
  state: State,
  asked: Headers,
  begin: (gone: AbortSignal) => AsyncGenerator<ServerEvent>,
): Response {
  const scope = userScope(state);
  const limit = { of: `${scope.actor.id}`, max: OF_ACCOUNT_MAX, full: tooMany };
  const release = streams.take(scope.deps.kv, [limit]);
  return eventStream(asked, (gone) => {
    const session = untilSignedOut(scope, gone);
    const atEnd = () => {
      session.abort();
      release();
    };
    // The stream may end before it was started, and then `merge` never calls `atEnd`.
    whenAborted(gone, atEnd);
    return merge([begin(session.signal)], { atEnd });
  });
}

/**
 * Opens an event stream that asks a page to reload after each new version of its data. `follow`
 * yields the versions after the one of the page.
 */
export function openStaleStream(
  state: State,
  { headers, url }: { headers: Headers; url: URL },
  follow: (since: string, gone: AbortSignal) => AsyncGenerator<string>,
): Response {
  const asked = headers.get("Last-Event-ID") ?? url.searchParams.get("since") ?? "";
  const since = /^\w*$/.test(asked) ? asked : "";
  return openStream(state, headers, async function* (gone) {
    yield { id: since };
    for await (const version of follow(since, gone)) yield staleEvent(version);
  });
}
