import { Buffer } from "node:buffer";
import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { whenAborted } from "../base/time/abort.ts";
import { checkedLookup, requireAllowedHost } from "./checked_lookup.ts";
import type { Outgoing, OutgoingAnswer } from "./outgoing.ts";

/** More than a server has a reason to send. Each one costs work. */
const INFORMATION_MAX = 50;

/**
 * Sends a request on a connection of its own, whose address is checked. Rejects if the connection
 * ends in any way before there is an answer. `ends` destroys it.
 */
export async function askSocket(
  url: URL,
  { method, headers, body = "", ca, reach, isProbe }: Outgoing,
  signal: AbortSignal,
  ends: DisposableStack,
): Promise<OutgoingAnswer> {
  if (reach) requireAllowedHost(url, reach.mayReach);
  const { request } = url.protocol === "https:" ? https : http;
  // Deno's server refuses an upgrade over TLS that has a length.
  const length = body === "" && (method ?? "GET") === "GET" ? {} : {
    "Content-Length": Buffer.byteLength(body),
  };
  const sent = request(url, {
    method,
    headers: { ...length, ...headers },
    // A pooled connection would skip the check of its address.
    agent: false,
    ...reach && { lookup: checkedLookup(reach.mayReach, reach.resolve) },
    ...ca?.length && { ca: [...ca] },
    rejectUnauthorized: !isProbe,
  });
  const { promise, resolve, reject } = Promise.withResolvers<OutgoingAnswer>();
  const sockets = new Set<Socket>();
  const destroy = () => {
    sent.destroy();
    for (const socket of sockets) socket.destroy();
  };
  ends.defer(destroy);
  ends.defer(whenAborted(signal, destroy));
  const failed = (error: Error) => {
    reject(error);
    destroy();
  };
  const switched = ({ statusCode = 0, headers }: http.IncomingMessage, socket: Socket) => {
    sockets.add(socket);
    resolve({ status: statusCode, headers: headersOf(headers), body: null });
  };
  let informed = 0;
  sent.on("socket", (socket) => sockets.add(socket));
  sent.on("error", failed);
  let isAnswered = false;
  sent.on("close", () => {
    if (!isAnswered) reject(new Error("the connection was closed without an answer"));
  });
  sent.on("upgrade", switched);
  sent.on("connect", switched);
  sent.on("information", () => {
    if (++informed > INFORMATION_MAX) failed(new Error("too many informational answers"));
  });
  sent.on("response", (response: http.IncomingMessage) => {
    isAnswered = true;
    // Nothing listens until the body is read.
    response.on("error", () => {});
    resolve({
      status: response.statusCode ?? 0,
      // Most readers need none.
      get headers() {
        return headersOf(response.headers);
      },
      body: response,
    });
  });
  sent.end(body);
  return await promise;
}

function headersOf(received: http.IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, value = []] of Object.entries(received)) {
    for (const one of [value].flat()) headers.append(name, one);
  }
  return headers;
}
