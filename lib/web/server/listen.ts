import type { Config } from "../../base/config.ts";
import { ConfigError } from "../../base/settings.ts";
import { describeError, type Log } from "../../base/log.ts";

/** Time for connections to end and release the system resource that ran out. */
const AGAIN_MS = 500;

/**
 * Returns an error for an address that cannot be listened on, usually because the port is taken.
 */
export function explainListening(
  { host, port }: Pick<Config, "host" | "port">,
  error: unknown,
): unknown {
  if (error instanceof Deno.errors.AddrInUse) {
    return new ConfigError(`Port ${port} is already in use: choose another with CALLBOARD_PORT.`);
  }
  const { code, message } = error as { code?: string; message?: string };
  if (code === undefined) return error;
  return new ConfigError(`Cannot listen on ${host}, port ${port}: ${message}`);
}

interface Listening {
  /** Accepts no more requests. */
  shutdown(): void;
}

/**
 * Serves until `shutdown` is called, and compresses responses if the client accepts that. Deno
 * stops listening permanently when the system runs out of file descriptors, which anyone can cause
 * by opening enough connections. Here this is logged, and listening starts again.
 */
export function listen(
  options: Deno.ServeTcpOptions,
  handler: Deno.ServeHandler<Deno.NetAddr>,
  log: Log,
): Listening {
  let isOver = false;
  const all: Deno.ServeTcpOptions = { ...options, automaticCompression: true };
  let server = Deno.serve(all, handler);
  const { port } = server.addr;
  watch();

  function watch(): void {
    server.finished.catch((error) => {
      log("error", "listening_failed", describeError(error));
      setTimeout(again, AGAIN_MS);
    });
  }

  function again(): void {
    if (isOver) return;
    try {
      server = Deno.serve({ ...all, port, onListen() {} }, handler);
      watch();
    } catch (error) {
      log("error", "listening_failed", describeError(error));
      setTimeout(again, AGAIN_MS);
    }
  }

  return {
    shutdown() {
      isOver = true;
      server.shutdown().catch((error) => log("error", "listening_failed", describeError(error)));
    },
  };
}
