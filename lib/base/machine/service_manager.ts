import { join } from "node:path";
import { describeError, type Log } from "../log.ts";

/** The service manager that has started this process. Without one, nothing is sent. */
export interface ServiceManager {
  /** Sends assignments such as `READY=1`: see sd_notify(3). */
  notify(state: Record<string, string | number>): void;
  /** Time after which a process that has sent no `WATCHDOG=1` is restarted; null for never. */
  readonly watchdogMs: number | null;
  close(): void;
}

/** Longest path of a unix socket on Linux. */
const PATH_BYTES_MAX = 107;
const encoder = new TextEncoder();

const NONE: ServiceManager = { notify() {}, watchdogMs: null, close() {} };

/**
 * Opens the socket that the variable NOTIFY_SOCKET names. A socket of ours in `folder` sends, and
 * has no name any more when this returns.
 */
export function openServiceManager(folder: string, log: Log): ServiceManager {
  const path = Deno.env.get("NOTIFY_SOCKET");
  if (!path) return NONE;
  try {
    // Deno knows no abstract sockets.
    if (!path.startsWith("/")) throw new Error("it is not a file");
    const own = join(folder, `notify.${Deno.pid}`);
    if (encoder.encode(own).length > PATH_BYTES_MAX) throw new Error("the data folder is too long");
    const socket = Deno.listenDatagram({ transport: "unixpacket", path: own });
    Deno.removeSync(own);
    return open(socket, path, log);
  } catch (error) {
    log("warn", "no_service_manager", { socket: path, ...describeError(error) });
    return NONE;
  }
}

function open(socket: Deno.DatagramConn, path: string, log: Log): ServiceManager {
  return {
    watchdogMs: watchdogOf(Deno.env.get("WATCHDOG_USEC"), Deno.env.get("WATCHDOG_PID")),
    notify(state) {
      const lines = Object.entries(state)
        .map(([name, value]) => `${name}=${String(value).replaceAll("\n", " ")}`);
      socket.send(encoder.encode(lines.join("\n")), { transport: "unixpacket", path })
        .catch((error) => log("debug", "service_manager_away", describeError(error)));
    },
    close: () => socket.close(),
  };
}

function watchdogOf(usec: string | undefined, pid: string | undefined): number | null {
  const ms = Number(usec) / 1000;
  return ms > 0 && (!pid || Number(pid) === Deno.pid) ? ms : null;
}

/**
 * Tells the manager at half of its interval that this process works, for as long as `works` settles
 * without an error. A process whose event loop stands still does not get here.
 */
export function keepWatchdog(
  { notify, watchdogMs }: ServiceManager,
  works: () => Promise<unknown>,
  statusOf: () => string,
): { stop(): void } {
  let isAsking = false;
  function sendSign(): void {
    if (isAsking) return;
    isAsking = true;
    works().then(
      () => {
        isAsking = false;
        notify({ WATCHDOG: 1, STATUS: statusOf() });
      },
      // The manager restarts a process that goes on like this.
      () => isAsking = false,
    );
  }
  if (watchdogMs === null) return { stop() {} };
  const timer = setInterval(sendSign, watchdogMs / 2);
  return { stop: () => clearInterval(timer) };
}
