/** A client that has sent nothing for so long after it connected sends no request. */
const FIRST_BYTE_MS = 10_000;
/** Streams and polls send something more often. */
const SILENCE_MS = 120_000;
/** A record of TLS is as long. */
const BUFFER_BYTES = 16 * 1024;

/** A connection of a client, whose bytes are passed on. */
export interface BridgedConnection {
  close(): void;
  /** Times of its beginning and of its latest byte. */
  began: number;
  latest: number;
  hasSent: boolean;
}

/** Passes bytes on in both directions until both sides have ended, or one of them fails. */
export async function exchangeBytes(
  client: Deno.TcpConn,
  backend: Deno.TcpConn,
  open: Set<BridgedConnection>,
): Promise<void> {
  const now = performance.now();
  const connection: BridgedConnection = {
    began: now,
    latest: now,
    hasSent: false,
    close() {
      for (const one of [client, backend]) closeQuietly(one);
    },
  };
  open.add(connection);
  try {
    await Promise.all([
      pump(client, backend, () => {
        connection.hasSent = true;
        connection.latest = performance.now();
      }),
      pump(backend, client, () => connection.latest = performance.now()),
    ]);
  } catch (error) {
    if (!isEndOfConnection(error)) throw error;
  } finally {
    open.delete(connection);
    connection.close();
  }
}

async function pump(from: Deno.TcpConn, to: Deno.TcpConn, onBytes: () => void): Promise<void> {
  const buffer = new Uint8Array(BUFFER_BYTES);
  for (;;) {
    const length = await from.read(buffer);
    if (length === null) break;
    onBytes();
    for (let sent = 0; sent < length;) sent += await to.write(buffer.subarray(sent, length));
  }
  await to.closeWrite();
}

/** Closes connections of clients that send nothing. */
export function closeSilent(open: Set<BridgedConnection>): void {
  const now = performance.now();
  for (const connection of open) {
    const { began, latest, hasSent } = connection;
    if (now - latest > SILENCE_MS || (!hasSent && now - began > FIRST_BYTE_MS)) connection.close();
  }
}

/** Whether an error says only that one side has gone. */
const isEndOfConnection = (error: unknown): boolean =>
  error instanceof Deno.errors.BadResource || error instanceof Deno.errors.Interrupted ||
  error instanceof Deno.errors.ConnectionReset || error instanceof Deno.errors.BrokenPipe ||
  error instanceof Deno.errors.NotConnected;

function closeQuietly(connection: Deno.TcpConn): void {
  try {
    connection.close();
  } catch {
    // It is closed already.
  }
}
