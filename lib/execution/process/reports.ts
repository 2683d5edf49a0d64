import { join } from "node:path";
import type { Duplex } from "node:stream";
import { chownToTask } from "./isolation.ts";
import {
  type ProcessOptions,
  SOCKET_DESCRIPTOR,
  spawn,
  spawnWithSocket,
  type Supervised,
  type Supervision,
} from "./spawn.ts";

/** A socket's name may have 108 bytes with the one that ends it. */
const PATH_BYTES_MAX = 107;

/** A supervised command that reports what it does on a socket of its own. */
interface Reporting {
  child: Supervised;
  /** Ends with the command, also when that has never taken its socket. */
  reports: ReadableStream<Uint8Array>;
  /** Drops what a process that got away may still report. */
  close(): void;
}

/**
 * Starts a command that first reads `line` from its socket. `CALLBOARD_RESULTS` has the path to
 * connect to, or the number of a descriptor.
 */
export async function spawnReporting(
  options: ProcessOptions,
  supervision: Supervision,
  line: string,
): Promise<Reporting> {
  const path = join(supervision.directory, "reports");
  const start = new TextEncoder().encode(path).length > PATH_BYTES_MAX ? withDescriptor : withPath;
  return await start(options, supervision, line, path);
}

/** Only the first one that connects is heard, and afterwards there is nothing to connect to. */
async function withPath(
  options: ProcessOptions,
  supervision: Supervision,
  line: string,
  path: string,
): Promise<Reporting> {
  const listener = Deno.listen({ transport: "unix", path });
  try {
    await Deno.chmod(path, 0o600);
    await chownToTask(supervision.sandbox, path);
    const extended = { ...options, env: { ...options.env, CALLBOARD_RESULTS: path } };
    const child = await spawn(extended, supervision, "merged");
    const connected = accept(listener, line);
    const stopListening = () => closeQuietly(listener);
    child.status.then(stopListening, stopListening);
    return {
      child,
      reports: ReadableStream.from(readConnected(connected)),
      close() {
        connected.then(closeQuietly, closeQuietly);
      },
    };
  } catch (error) {
    closeQuietly(listener);
    throw error;
  }
}

/** Null when the command has ended without connecting, or without having read its line. */
async function accept(listener: Deno.UnixListener, line: string): Promise<Deno.UnixConn | null> {
  try {
    const connection = await listener.accept();
    closeQuietly(listener);
    await connection.write(new TextEncoder().encode(line));
    return connection;
  } catch {
    return null;
  }
}

async function* readConnected(
  connected: Promise<Deno.UnixConn | null>,
): AsyncGenerator<Uint8Array> {
  const connection = await connected;
  if (!connection) return;
  try {
    yield* connection.readable;
  } catch (error) {
    // The command ended without having read its line, or is no longer heard.
    if (!ENDED.some((kind) => error instanceof kind)) throw error;
  }
}

const ENDED = [Deno.errors.ConnectionReset, Deno.errors.BadResource, Deno.errors.Interrupted];

function closeQuietly(resource: { close(): void } | null) {
  try {
    resource?.close();
  } catch {
    // It is closed.
  }
}

/** In a folder whose path is too long for a socket; it costs a copy of the server's page tables. */
async function withDescriptor(
  options: ProcessOptions,
  supervision: Supervision,
  line: string,
): Promise<Reporting> {
  const extended = {
    ...options,
    env: { ...options.env, CALLBOARD_RESULTS: String(SOCKET_DESCRIPTOR) },
  };
  const { child, socket } = await spawnWithSocket(extended, supervision);
  socket.write(line);
  return { child, reports: ReadableStream.from(readSocket(socket)), close: () => socket.destroy() };
}

async function* readSocket(socket: Duplex): AsyncGenerator<Uint8Array> {
  try {
    yield* socket;
  } catch (error) {
    // The command ended without having read its line.
    if (!["ECONNRESET", "EPIPE"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
