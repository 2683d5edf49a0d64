import type { RealServer } from "../../tests/support/server/real_server.ts";

/** Someone who follows a task until `leave` is called. */
export interface Follower {
  /** Number of bytes received. */
  readonly bytes: number;
  /** Leaves without notice, as browsers do. */
  leave(): Promise<void>;
}

/** Reads a stream, such as a task's events or its page, as it arrives. */
export async function followStream(server: RealServer, path: string): Promise<Follower> {
  const response = await fetch(new URL(path, server.url), { headers: { Cookie: server.cookie } });
  const reader = response.body!.getReader();
  let bytes = 0;
  const read = async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      bytes += next.value.length;
    }
  };
  const done = read();
  return {
    get bytes() {
      return bytes;
    },
    async leave() {
      await reader.cancel();
      await done;
    },
  };
}

/** Listens to a server's socket. */
export async function followSocket(server: RealServer): Promise<Follower> {
  const url = new URL("/api/ws", server.url.replace(/^http/, "ws"));
  // Deno's constructor takes headers, but the type is that of browsers.
  const options = { headers: { Cookie: server.cookie } } as unknown as string[];
  const socket = new WebSocket(url, options);
  let bytes = 0;
  socket.onmessage = ({ data }) => void (bytes += data.length);
  const closed = new Promise((resolve) => socket.onclose = resolve);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  return {
    get bytes() {
      return bytes;
    },
    async leave() {
      socket.close();
      await closed;
    },
  };
}

/** Requests a task's events, reads their beginning, and then reads no further. */
export async function followAsleep(server: RealServer, path: string): Promise<Follower> {
  const { hostname, port } = new URL(server.url);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  const head =
    `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: ${server.cookie}\r\n\r\n`;
  await connection.write(new TextEncoder().encode(head));
  const bytes = await connection.read(new Uint8Array(1024)) ?? 0;
  return {
    bytes,
    leave: () => Promise.resolve(connection.close()),
  };
}
