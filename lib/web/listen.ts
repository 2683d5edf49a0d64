import type { Config } from "../base/config.ts";
import { ConfigError } from "../base/settings.ts";
import { describeError, type Log } from "../base/log.ts";

/** Time for connections to end, and give back what there was too little of. */
const AGAIN_MS = 500;

/** The sentence for an address that nothing can listen on: a taken port, above all. */
export function explainListening(
  { host, port }: Pick<Config, "host" | "port">,
  error: unknown,
): unknown {
  if (error instanceof Deno.errors.AddrInUse) {
    return new ConfigError(`The port ${port} is taken: choose another with CALLBOARD_PORT.`);
  }
  const { code, message } = error as { code?: string; message?: string };
  if (code === undefined) return error;
  return new ConfigError(`Nothing can listen on ${host}, port ${port}: ${message}`);
}

interface Listening {
  /** Takes no more requests. */
  shutdown(): void;
}

/**
 * Serves until it is told to stop, compressed where a client takes that. Deno gives up listening for good when the system has no file
 * left for one more connection, which anybody can bring about by opening enough of them: here that
 * is logged, and the listening begins anew.
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
      server.shutdown();
    },
  };
}
