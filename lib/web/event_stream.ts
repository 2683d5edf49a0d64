import { pipeline, Readable } from "node:stream";
import { constants, createGzip } from "node:zlib";
import { parseAccept } from "hono/utils/accept";
import {
  EVENT_STREAM,
  type ServerEvent,
  serverEventText,
  staleEvent,
  STOPPING,
} from "../http/server_event.ts";
import { keepAlive, textStream } from "../http/text_stream.ts";
import { linkedAbort, whenAborted } from "../base/time/abort.ts";
import type { Deps } from "../access/deps.ts";
import { AppError } from "../base/errors.ts";
import { merge } from "../base/merge.ts";
import { untilSignedOut } from "../access/follow.ts";
import { type State, userScope } from "./state.ts";
import { createSlots } from "../store/limiters/slots.ts";
import { stopSignal } from "../store/server_end.ts";

/** Small windows, because a stream lasts for hours and there may be many. About 50 kB each. */
const GZIP = { level: 4, windowBits: 12, memLevel: 5, flush: constants.Z_SYNC_FLUSH };

/** A reader of a stream that is silent for much longer has lost the server. */
const IDLE_MS = 1_500;

interface StreamOptions<Change> {
  /** Creates the events of a change. Without it, changes are versions, and the page reloads. */
  events?(change: Change): ServerEvent[] | Promise<ServerEvent[]>;
  /** Whether readers need not be signed in. */
  isPublic?: boolean;
}

/**
 * Opens an event stream for the signed-in user, which ends when they are signed out. Throws 429 if
 * they have too many, because each one uses memory. `follow` yields changes until its signal is
 * aborted, which is when the reader disconnects. It gets the version that the reader has.
 */
export function openStream<Change>(
  { state, req }: { state: State; req: Pick<Request, "headers" | "url"> },
  follow: (gone: AbortSignal, since: string) => AsyncGenerator<Change>,
  { events, isPublic = false }: StreamOptions<Change> = {},
): Response {
  const asked = req.headers.get("Last-Event-ID") ?? new URL(req.url).searchParams.get("since");
  const since = /^\w+$/.exec(asked ?? "")?.[0] ?? "";
  async function* begin(gone: AbortSignal): AsyncGenerator<ServerEvent> {
    if (!events) yield { id: since };
    for await (const change of follow(gone, since)) {
      yield* await events?.(change) ?? [staleEvent(String(change))];
    }
  }
  return eventStream(req.headers, isPublic ? begin : forAccount(state, begin));
}

/** Limits the event streams of one account. Each open page has one, and clients follow tasks. */
const streams = createSlots("event streams");
const OF_ACCOUNT_MAX = 250;
const tooMany = () => new AppError(429, "errors.too_many_streams", { max: OF_ACCOUNT_MAX });

function forAccount(state: State, begin: (gone: AbortSignal) => AsyncGenerator<ServerEvent>) {
  const scope = userScope(state);
  const limit = { of: `${scope.actor.id}`, max: OF_ACCOUNT_MAX, full: tooMany };
  const release = streams.take(scope.deps.kv, [limit]);
  return (gone: AbortSignal) => {
    const session = untilSignedOut(scope, gone);
    const atEnd = () => {
      session.abort();
      release();
    };
    // The stream may end before it was started, and then `merge` never calls `atEnd`.
    whenAborted(gone, atEnd);
    async function* events() {
      yield* begin(session.signal);
      session.abort();
    }
    return merge([events(), stopOf(scope.deps, session.signal)], { atEnd });
  };
}

/** Yields an event once the server stops. */
async function* stopOf(deps: Pick<Deps, "kv">, end: AbortSignal): AsyncGenerator<ServerEvent> {
  const { signal, release } = linkedAbort(end, stopSignal(deps));
  await new Promise<void>((resolve) => whenAborted(signal, resolve));
  release();
  if (!end.aborted) yield { event: STOPPING, data: "" };
}

/** Sends each event immediately, and compressed if the client accepts that. */
function eventStream(
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
