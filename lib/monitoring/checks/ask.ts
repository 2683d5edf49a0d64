import { exchange } from "../../http/exchange.ts";
import { answerText } from "../../http/outgoing.ts";

const LIMIT_MS = 4_000;
const BYTES_MAX = 64 * 1024;
const WAIT_MS = 100;

interface Asked {
  /** 101 if the connection was upgraded. */
  status: number;
  headers: Headers;
  text: string;
  /** Number of waits of a tenth of a second or more while the body arrived. */
  waits: number;
}

/**
 * Requests a URL as a browser does that accepts any certificate, because an invalid one must not
 * hide other problems. Follows no redirects. Throws if no complete answer arrives in time.
 */
export const ask = (url: string, headers: Record<string, string> = {}): Promise<Asked> =>
  exchange(url, {
    headers: { "user-agent": "Callboard", ...headers },
    limitMs: LIMIT_MS,
    isProbe: true,
  }, async ({ status, headers, body }) => {
    let [last, waits] = [performance.now(), 0];
    async function* counting() {
      for await (const chunk of body ?? []) {
        if (performance.now() - last >= WAIT_MS) waits++;
        last = performance.now();
        yield chunk;
      }
    }
    const counted = { status, headers, body: counting() };
    return { status, headers, text: await answerText(counted, BYTES_MAX), waits };
  });
