import type { Resolve } from "./checked_lookup.ts";

/** A request to another server. */
export interface Outgoing {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  /** Time for the whole exchange, from the look-up of the name to the last byte of the answer. */
  limitMs: number;
  /** Ends the exchange earlier. Its reason is then the error. */
  signal?: AbortSignal;
  /** Certificates in PEM of authorities to trust beside those of the system. */
  ca?: readonly string[];
  /** By default, redirects are not followed: their address was not checked. */
  redirect?: "follow" | "manual";
  /** Connections to use again. Without it, one with `ca` is closed after the exchange. */
  pool?: Deno.HttpClient;
  /** Limits the addresses of the host. Such a request uses no proxy. */
  reach?: Reach;
  /** Accepts any certificate, and a switch of protocol as an answer. Uses no proxy. */
  isProbe?: boolean;
}

/** The addresses that a request may reach. The connection goes to an address that was checked. */
interface Reach {
  mayReach(address: string): boolean;
  /** Resolves names. Tests replace it. */
  resolve?: Resolve;
}

/** The answer of another server, whose body may still be on its way. */
export interface OutgoingAnswer {
  status: number;
  headers: Headers;
  /** Can be read once. Not always a stream, which costs as much as the rest of an exchange. */
  body: AsyncIterable<Uint8Array<ArrayBuffer>> | null;
}

/** There is no usable answer: none in time, another protocol, or one that is too long. */
export class Unanswered extends Error {
  override name = "Unanswered";
  constructor(readonly why: "late" | "switched" | "too_large", message: string) {
    super(message);
  }
}

/** Reads an answer as text. Throws `Unanswered` for one of more than `bytesMax`. */
export async function answerText(answer: OutgoingAnswer, bytesMax: number): Promise<string> {
  const { text, isWhole } = await readStart(answer, bytesMax);
  if (isWhole) return text;
  throw new Unanswered("too_large", `the answer has more than ${bytesMax} bytes`);
}

/** Reads the first `bytesMax` of an answer as text. */
export const answerStart = async (answer: OutgoingAnswer, bytesMax: number): Promise<string> =>
  (await readStart(answer, bytesMax)).text;

async function readStart({ body }: OutgoingAnswer, bytesMax: number) {
  const decoder = new TextDecoder();
  let [text, left] = ["", bytesMax];
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk.subarray(0, left), { stream: true });
    left -= chunk.length;
    if (left < 0) return { text, isWhole: false };
  }
  return { text: text + decoder.decode(), isWhole: true };
}
