const HEAD_END = "\r\n\r\n";
const decoder = new TextDecoder("latin1");

/**
 * One connection that requests the same path again and again. It costs little compared to the
 * server.
 */
interface KeepAlive extends Disposable {
  /** Requests the path once. Throws when the status is not 200. */
  get(): Promise<void>;
}

/** Connects to a server on this machine with an API token. */
export async function keepAlive(url: string, token: string, path: string): Promise<KeepAlive> {
  const { hostname, port, host } = new URL(url);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  connection.setNoDelay();
  const request = new TextEncoder().encode(
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}${HEAD_END}`,
  );
  const buffer = new Uint8Array(256 * 1024);

  async function read(): Promise<number> {
    const count = await connection.read(buffer);
    if (count === null) throw new Error(`GET ${path}: the connection was closed`);
    return count;
  }

  async function get(): Promise<void> {
    await connection.write(request);
    let [head, received] = ["", 0];
    while (!head.includes(HEAD_END)) {
      const count = await read();
      received += count;
      head += decoder.decode(buffer.subarray(0, count));
    }
    const length = /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1];
    if (!head.startsWith("HTTP/1.1 200") || !length) {
      throw new Error(`GET ${path}: ${head.slice(0, 500)}`);
    }
    const bytes = head.indexOf(HEAD_END) + HEAD_END.length + Number(length);
    while (received < bytes) received += await read();
  }

  return { get, [Symbol.dispose]: () => connection.close() };
}
