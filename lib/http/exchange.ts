/**
 * One way to other servers, with a deadline of its own. Ten files sent requests and left the time
 * limit to the library. The answer `101 Switching Protocols` ended neither: Node's client closes
 * the connection and reports nothing, and the task, the alert or the drain behind it never ended.
 *
 * Two clients are behind `exchange`. `fetch` respects proxies and repeats a call on a stale
 * connection. Only Node's client connects to a checked address. The promise is raced with a timer
 * for the whole exchange, to the last byte, and whatever is open is destroyed at its end. A switch
 * of protocol, and a flood of informational answers, are errors that are not repeated. Redirects
 * are followed only where the administrator has chosen the address.
 *
 * LDAP, syslog and certificates race their sockets in the same way. A new client belongs in
 * `rude_peers_test`, whose servers are silent, drip, never read or switch the protocol.
 */

import { linkedAbort, unlessAborted } from "../base/time/abort.ts";
import { after } from "../base/time/after.ts";
import { type Outgoing, type OutgoingAnswer, Unanswered } from "./outgoing.ts";
import { askSocket } from "./socket_request.ts";

/**
 * Sends a request and passes its answer to `read`. This is the only way to other servers over HTTP.
 * Its promise settles within `limitMs`, whatever the server and the library do, and nothing of the
 * exchange goes on afterwards. Throws `Unanswered`, `ForbiddenAddress`, the reason of `signal`, and
 * errors of the connection.
 */
export async function exchange<T>(
  url: string | URL,
  request: Outgoing,
  read: (answer: OutgoingAnswer) => Promise<T> | T,
): Promise<T> {
  using ends = new DisposableStack();
  const { signal } = limitOf(request, ends);
  const { reach, isProbe = false } = request;
  const ask = reach || isProbe ? askSocket : askByFetch;
  return await within(signal, async () => {
    const answer = await ask(new URL(url), request, signal, ends);
    return await read(isProbe ? answer : requireHttp(answer));
  });
}

/** An answer whose body is a stream. */
export type StreamedAnswer = OutgoingAnswer & Pick<Response, "body"> & Disposable;

/**
 * Like `exchange`, for an answer of any length: `limitMs` is for its beginning. `bodyChunks` limits
 * the time of the rest. The caller disposes of the answer.
 */
export async function openAnswer(
  url: string | URL,
  request: Omit<Outgoing, "reach" | "isProbe">,
): Promise<StreamedAnswer> {
  const ends = new DisposableStack();
  try {
    const limit = limitOf(request, ends);
    const answer = await within(
      limit.signal,
      async () => requireHttp(await askByFetch(new URL(url), request, limit.signal, ends)),
    );
    limit.cancel();
    const { status, headers, body } = answer;
    return { status, headers, body, [Symbol.dispose]: () => ends.dispose() };
  } catch (error) {
    ends.dispose();
    throw error;
  }
}

/** Returns a signal that aborts at the limit of a request, with its signal, and at the end. */
function limitOf({ limitMs, signal }: Outgoing, ends: DisposableStack) {
  const limit = linkedAbort(...signal ? [signal] : []);
  const late = () => new Unanswered("late", "no answer in time");
  const cancel = after(limitMs, () => limit.abort(late()));
  ends.defer(() => {
    cancel();
    limit.release();
    limit.abort(OVER);
  });
  return { signal: limit.signal, cancel };
}

/** Reason for everything that is left at an end. Creating an error for each end takes long. */
const OVER = new Error("the exchange is over");

async function within<T>(limit: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    limit.throwIfAborted();
    return await unlessAborted(work(), limit);
  } catch (error) {
    throw limit.aborted ? limit.reason : error;
  }
}

function requireHttp<Answer extends OutgoingAnswer>(answer: Answer): Answer {
  if (answer.status !== SWITCHED) return answer;
  throw new Unanswered(
    "switched",
    "the server switched to another protocol (101), which is not an HTTP answer",
  );
}

const SWITCHED = 101;

/** Sends a request in a way that respects the proxy variables. */
async function askByFetch(
  url: URL,
  { method, headers, body, ca, redirect = "manual", pool }: Outgoing,
  signal: AbortSignal,
  ends: DisposableStack,
): Promise<Response> {
  const client = pool ?? (ca?.length ? ends.use(openPool({ ca })) : commonPool());
  return await fetch(url, { method, headers, body, redirect, signal, client });
}

let common: Deno.HttpClient | undefined;

/** Returns the connections that all other exchanges share. They last as long as the process. */
const commonPool = (): Deno.HttpClient => common ??= openPool({});

/** Firewalls drop idle connections without notice. Each request on such a one would be lost. */
const IDLE_MS = 10_000;

/** Returns connections that several exchanges use. `close` ends them. */
export const openPool = ({ ca = [] }: { ca?: readonly string[] }): Deno.HttpClient =>
  Deno.createHttpClient({
    caCerts: [...ca],
    // A connection of HTTP/2 that was lost would fail all exchanges until the system gives it up.
    http2: false,
    poolIdleTimeout: IDLE_MS,
  });
