import { promisify } from "node:util";
import { gzip } from "node:zlib";
import * as z from "zod";
import { exchange, openPool } from "../../http/exchange.ts";
import { answerStart, answerText, Unanswered } from "../../http/outgoing.ts";
import { plainNumber } from "../../base/text/plain_number.ts";
import { reveal, type Secret } from "../../base/secret.ts";
import { whyOf } from "../../base/why.ts";
import { PROTOCOL, PROTOCOL_HEADER } from "../protocol.ts";

/** The server of a runner, and the way to reach it. */
export interface Target {
  /** Address of the server without a slash at its end. */
  server: string;
  /** The runner's token; null before it is registered. It may be replaced at any time. */
  token: Secret | null;
  /** Certificates in PEM of authorities to trust beside those that Deno has. */
  caCerts: string[];
}

interface PostOptions {
  /** Time limit of the whole call. */
  limitMs: number;
  /** Whether the server takes this call compressed. */
  zip?: boolean;
  bytesMax?: number;
  signal?: AbortSignal;
}

/** A server as one part of the program reaches it. Its connections are its own. */
export interface ServerConnection {
  /**
   * Sends JSON, and returns the checked answer. Throws `Refused` for a status of an error, and
   * other errors if there is no usable answer.
   */
  post<T extends z.ZodType>(
    path: string,
    json: string,
    answer: T,
    options: PostOptions,
  ): Promise<z.output<T>>;
  /** Sends further calls on a new connection, which may lead to another server. */
  renew(): void;
  close(): void;
}

/** A server's answer that it does not do what was asked. */
export class Refused extends Error {
  override name = "Refused";
  constructor(
    readonly status: number,
    message: string,
    /** Whether Callboard has answered, and not a proxy in front of it. */
    readonly isOfServer: boolean,
    readonly retryAfterMs: number,
    /** The server's own code of the error, if it has one. */
    readonly code?: string,
  ) {
    super(message);
  }
}

const ANSWER_BYTES_MAX = 64 * 1024;
const RETRY_AFTER_MS_MAX = 60_000;
const errorSchema = z.object({ error: z.string().max(2_000), code: z.string().optional() });

/** Returns a connection. Proxy variables are respected, and redirects are not followed. */
export function connect(target: Target): ServerConnection {
  const { server, caCerts } = target;
  const open = () => openPool({ ca: caCerts });
  let pool = open();

  async function sendWith(
    token: Secret | null,
    path: string,
    json: string,
    { limitMs, zip = false, bytesMax = ANSWER_BYTES_MAX, signal }: PostOptions,
  ): Promise<Received> {
    const headers: Record<string, string> = {
      "Content-Type": "application/json",
      "Accept": "application/json",
      "User-Agent": "Callboard runner",
      [PROTOCOL_HEADER]: String(PROTOCOL),
      ...token && { "Authorization": `Bearer ${reveal(token, "server")}` },
      ...zip && { "Content-Encoding": "gzip" },
    };
    const body = zip ? new Uint8Array(await promisify(gzip)(json, { level: 3 })) : json;
    const request = { method: "POST", headers, body, limitMs, signal, pool };
    return await exchange(server + path, request, async (answer) => ({
      status: answer.status,
      headers: answer.headers,
      text: answer.status < 300
        ? await answerText(answer, bytesMax)
        : await answerStart(answer, ANSWER_BYTES_MAX),
    })).catch((error) => {
      if (!(error instanceof Unanswered && error.why === "late")) throw error;
      throw new Error(`The server did not answer within ${Math.round(limitMs / 1000)} seconds`);
    });
  }

  return {
    async post(path, json, answer, options) {
      const { token } = target;
      let received = await sendWith(token, path, json, options);
      // It was replaced while the call was on its way.
      if (received.status === 401 && target.token !== token) {
        received = await sendWith(target.token, path, json, options);
      }
      if (received.status >= 200 && received.status < 300) {
        return answer.parse(JSON.parse(received.text));
      }
      throw refusal(received);
    },
    renew() {
      pool.close();
      pool = open();
    },
    close: () => pool.close(),
  };
}

interface Received {
  status: number;
  headers: Headers;
  text: string;
}

function refusal({ status, headers, text }: Received): Refused {
  const said = errorOf(text);
  const seconds = plainNumber(headers.get("retry-after")) ?? 0;
  const retryAfterMs = seconds > 0 ? Math.min(seconds * 1000, RETRY_AFTER_MS_MAX) : 0;
  const to = headers.get("location");
  const message = said?.error ??
    (status >= 300 && status < 400
      ? `The address leads to ${to}. Set CALLBOARD_RUNNER_URL to the address of the server itself`
      : `The server answered ${status}`);
  return new Refused(status, message, said !== null, retryAfterMs, said?.code);
}

function errorOf(text: string): z.output<typeof errorSchema> | null {
  try {
    return errorSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Returns an error in one line for the log of a runner. */
export const failureOf = (error: unknown): string =>
  error instanceof z.ZodError || error instanceof SyntaxError
    ? "The answer is not one of a Callboard server"
    : error instanceof Refused
    ? error.message
    : whyOf(error).text;

/** Returns an address as the program uses it, without a slash at its end. */
export const serverAddress = ({ origin, pathname }: URL): string =>
  origin + pathname.replace(/(?<!\/)\/+$/, "");
