import { type Config, localAddress } from "../../base/settings/config.ts";
import { ConfigError } from "../../base/settings/settings.ts";
import { describeError, type Log } from "../../base/log.ts";
import type { ServerCertificate } from "./certificate.ts";
import { type Listening, openTlsFront, type ServeHandler } from "./tls_front.ts";
import { claimSocket, releaseSocket, restrictSocket } from "./unix_socket.ts";

/** Time for connections to end and release the system resource that ran out. */
const AGAIN_MS = 500;

type Place = Pick<Config, "host" | "port" | "socket" | "tls">;

/**
 * Returns an error for an address that cannot be listened on, usually because the port is taken.
 */
export function explainListening({ host, port, socket }: Place, error: unknown): unknown {
  if (error instanceof ConfigError) return error;
  const { code, message } = error as { code?: string; message?: string };
  if (socket) return new ConfigError(`Cannot listen on ${socket.path}: ${message}`);
  if (error instanceof Deno.errors.AddrInUse) {
    return new ConfigError(`Port ${port} is already in use: choose another with CALLBOARD_PORT.`);
  }
  if (code === undefined) return error;
  return new ConfigError(`Cannot listen on ${host}, port ${port}: ${message}`);
}

interface ListenOptions {
  config: Place;
  /** Null if the server does not speak TLS. */
  certificate: ServerCertificate | null;
  onError(error: unknown): Response;
  log: Log;
}

/**
 * Serves until `shutdown` is called, and compresses responses if the client accepts that. Returns
 * the address with it. Throws ConfigError if the address cannot be listened on.
 */
export async function listen(
  options: ListenOptions,
  handler: ServeHandler,
): Promise<Listening & { address: string }> {
  const { config, certificate, onError, log } = options;
  const { host: hostname, port, socket } = config;
  try {
    if (socket) {
      await claimSocket(socket);
      const plain: ServeHandler = (req, info) => handler(withHttpUrl(req), info);
      const server = serveAgain({ path: socket.path }, options, plain);
      await restrictSocket(socket);
      const shutdown = () => {
        server.shutdown();
        releaseSocket(socket).catch((error) => log("warn", "socket_kept", describeError(error)));
      };
      return { address: `unix:${socket.path}`, shutdown };
    }
    if (certificate) {
      const listener = Deno.listen({ hostname, port });
      const address = localAddress({ ...config, port: listener.addr.port })!;
      const front = openTlsFront({ listener, pair: certificate.pair, handler, onError, log });
      certificate.follow(front.renew);
      return { address, shutdown: front.shutdown };
    }
    const server = serveAgain({ hostname, port }, options, handler);
    return { address: localAddress({ ...config, port: server.port })!, shutdown: server.shutdown };
  } catch (error) {
    throw explainListening(config, error);
  }
}

/**
 * Gives a request the address that it would have on a port. Deno names those of a socket with
 * "http+unix:", which has no origin. A new request could not become a WebSocket.
 */
function withHttpUrl(req: Request): Request {
  const url = req.url.replace(/^http\+unix:/, "http:");
  return Object.defineProperty(req, "url", { value: url });
}

/**
 * Deno stops listening permanently when the system runs out of file descriptors, which anyone can
 * cause by opening enough connections. Here this is logged, and listening starts again.
 */
function serveAgain(
  place: { path: string } | { hostname: string; port: number },
  { config, onError, log }: ListenOptions,
  handler: ServeHandler,
) {
  let isOver = false;
  let server = serve(place);
  const port = "port" in server.addr ? server.addr.port : 0;
  watch();

  function serve(place: { path: string } | { hostname: string; port: number }) {
    const all = { automaticCompression: true, onListen() {}, onError };
    return "path" in place
      ? Deno.serve({ ...all, ...place }, handler)
      : Deno.serve({ ...all, ...place }, handler);
  }

  function watch(): void {
    server.finished.catch((error) => {
      log("error", "listening_failed", describeError(error));
      later();
    });
  }

  function later(): void {
    setTimeout(() => {
      again().catch((error) => {
        log("error", "listening_failed", describeError(error));
        later();
      });
    }, AGAIN_MS);
  }

  async function again(): Promise<void> {
    if (isOver) return;
    if (config.socket) await claimSocket(config.socket);
    server = serve("port" in place ? { ...place, port } : place);
    watch();
    if (config.socket) await restrictSocket(config.socket);
  }

  return {
    port,
    shutdown() {
      isOver = true;
      server.shutdown().catch((error) => log("error", "listening_failed", describeError(error)));
    },
  };
}
