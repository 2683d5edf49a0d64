import { describeError, type Log } from "../../base/log.ts";
import { sleep } from "../../base/time/pause.ts";
import type { CertificatePair } from "../../base/settings/certificate_pair.ts";
import { type BridgedConnection, closeSilent, exchangeBytes } from "./bridge.ts";

/** Time for connections to end and release the system resource that ran out. */
const AGAIN_MS = 500;
const SWEEP_MS = 2_000;

/** A server for the connections that were opened while one certificate was in use. */
interface Inner {
  server: Deno.HttpServer<Deno.NetAddr>;
  connections: number;
  isRetired: boolean;
}

type ServeTcp = (
  req: Request,
  info: Deno.ServeHandlerInfo<Deno.NetAddr>,
) => Response | Promise<Response>;

export type ServeHandler = (
  req: Request,
  info: Deno.ServeHandlerInfo,
) => Response | Promise<Response>;

export interface Listening {
  /** Accepts no more requests. */
  shutdown(): void;
}

interface FrontOptions {
  listener: Deno.TcpListener;
  pair: CertificatePair;
  handler: ServeHandler;
  onError: (error: unknown) => Response;
  log: Log;
}

/**
 * Serves TLS with a certificate that can be replaced while tasks, streams and sockets go on.
 * `Deno.serve` reads its certificate once. So one listener owns the port, never closes, and passes
 * the bytes of each connection to a `Deno.serve` on the loopback interface, which speaks TLS. A new
 * certificate is a new such server, and the old one is shut down when its last connection has
 * ended. A pair is tried with a listener of its own before it is used. HTTP, WebSockets, streams
 * and the drain remain those of `Deno.serve`.
 *
 * Rejected: `SO_REUSEPORT`, because connections in the queue are reset, and any process of the
 * account, such as a play, can listen on the port. Closing and opening the port, which refuses
 * connections. Deno's resolver of certificates, which is not public. `node:https`, which would be a
 * second HTTP server.
 *
 * A connection takes three descriptors, and its bytes are copied twice more. Accounts of the
 * machine can connect to the inner port, which offers the same as the outer one.
 */
export function openTlsFront({ listener, pair, handler, onError, log }: FrontOptions) {
  /** Addresses of clients by the port of their connection to the inner server. */
  const clients = new Map<number, Deno.NetAddr>();
  const open = new Set<BridgedConnection>();
  let isOver = false;
  const answer: ServeTcp = (req, { completed, remoteAddr }) =>
    handler(req, { completed, remoteAddr: clients.get(remoteAddr.port) ?? remoteAddr });
  const openInner = (pair: CertificatePair) => serveInner(pair, answer, onError, log);
  let inner = openInner(pair);

  function shut({ server }: Inner): void {
    server.shutdown().catch((error) => log("error", "listening_failed", describeError(error)));
  }

  async function accept(): Promise<void> {
    while (!isOver) {
      try {
        const client = await listener.accept();
        pass(client, inner).catch((error) =>
          log("debug", "connection_failed", describeError(error))
        );
      } catch (error) {
        if (isOver) return;
        // The system has run out of file descriptors, which anyone can cause.
        log("error", "listening_failed", describeError(error));
        await sleep(AGAIN_MS);
      }
    }
  }

  async function pass(client: Deno.TcpConn, to: Inner): Promise<void> {
    to.connections++;
    let port: number | null = null;
    try {
      using _client = client;
      using backend = await Deno.connect({ hostname: "127.0.0.1", port: to.server.addr.port });
      client.setNoDelay();
      backend.setNoDelay();
      port = backend.localAddr.port;
      clients.set(port, client.remoteAddr);
      await exchangeBytes(client, backend, open);
    } finally {
      if (port !== null) clients.delete(port);
      to.connections--;
      if (to.isRetired && to.connections === 0) shut(to);
    }
  }

  const sweeping = setInterval(() => closeSilent(open), SWEEP_MS);
  accept().catch((error) => log("error", "listening_failed", describeError(error)));

  return {
    /** Uses another certificate for new connections. Throws if it cannot be used. */
    renew(pair: CertificatePair): void {
      const next = openInner(pair);
      const before = inner;
      inner = next;
      before.isRetired = true;
      if (before.connections === 0) shut(before);
    },
    shutdown() {
      isOver = true;
      clearInterval(sweeping);
      listener.close();
      shut(inner);
    },
  } satisfies Listening & { renew(pair: CertificatePair): void };
}

function serveInner(
  { cert, key }: CertificatePair,
  handler: ServeTcp,
  onError: FrontOptions["onError"],
  log: Log,
): Inner {
  const address = { hostname: "127.0.0.1", port: 0 };
  const options = { automaticCompression: true, onListen() {}, onError };
  const server = Deno.serve({ ...options, ...address, cert, key }, handler);
  server.finished.catch((error) => log("error", "listening_failed", describeError(error)));
  return { server, connections: 0, isRetired: false };
}
