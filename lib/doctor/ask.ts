import { Buffer } from "node:buffer";
import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";

const LIMIT_MS = 4_000;
const BYTES_MAX = 64 * 1024;
const WAIT_MS = 100;

interface Asked {
  /** 101 if the connection was upgraded. */
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
  /** Number of waits of a tenth of a second or more while the body arrived. */
  waits: number;
}

/**
 * Requests a URL as a browser does that accepts any certificate, because an invalid one must not
 * hide other problems. Follows no redirects. Throws if no complete answer arrives in time.
 */
export function ask(url: string, headers: Record<string, string> = {}): Promise<Asked> {
  const { promise, resolve, reject } = Promise.withResolvers<Asked>();
  const { request } = url.startsWith("https:") ? https : http;
  const signal = AbortSignal.timeout(LIMIT_MS);
  const sent = request(url, {
    headers: { "user-agent": "Callboard", ...headers },
    rejectUnauthorized: false,
    agent: false,
    signal,
  });
  sent.on("error", (error) => reject(signal.aborted ? new Error("no answer in time") : error));
  sent.on("upgrade", ({ headers }: http.IncomingMessage, socket: Socket) => {
    socket.destroy();
    resolve({ status: 101, headers, text: "", waits: 0 });
  });
  sent.on("response", (response: http.IncomingMessage) => {
    const chunks: Uint8Array[] = [];
    let [last, bytes, waits] = [performance.now(), 0, 0];
    response.on("data", (chunk: Uint8Array) => {
      if (performance.now() - last >= WAIT_MS) waits++;
      last = performance.now();
      bytes += chunk.length;
      if (bytes > BYTES_MAX) sent.destroy(new Error("the answer is too long"));
      chunks.push(chunk);
    });
    response.on("error", reject);
    response.on("end", () =>
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: Buffer.concat(chunks).toString(),
        waits,
      }));
  });
  sent.end();
  return promise;
}
