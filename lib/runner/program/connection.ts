import { promisify } from "node:util";
import { gzip } from "node:zlib";
import * as z from "zod";
import { linkedAbort } from "../../base/abort.ts";
import { after } from "../../base/after.ts";
import { readText } from "../../base/body.ts";
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

/** Firewalls drop idle connections without notice. Each call on such a one would be lost. */
const IDLE_MS = 10_000;
const ANSWER_BYTES_MAX = 64 * 1024;
const RETRY_AFTER_MS_MAX = 60_000;
const errorSchema = z.object({ error: z.string().max(2_000), code: z.string().optional() });

/** Returns a connection. Proxy variables are respected, and redirects are not followed. */
export function connect(target: Target): ServerConnection {
  const { server, caCerts } = target;
  const open = () => Deno.createHttpClient({ caCerts, http2: false, poolIdleTimeout: IDLE_MS });
  let client = open();

  /** Sends a call again if its token was replaced while it was on its way. */
  async function send(path: string, json: string, zip: boolean, signal: AbortSignal) {
    const { token } = target;
    const response = await sendWith(token, path, json, zip, signal);
    if (response.status !== 401 || target.token === token) return response;
    await response.body?.cancel();
    return await sendWith(target.token, path, json, zip, signal);
  }

  async function sendWith(
    token: Secret | null,
    path: string,
    json: string,
    zip: boolean,
    signal: AbortSignal,
  ) {
    const headers = new Headers({
      "Content-Type": "application/json",
      "Accept": "application/json",
      "User-Agent": "Callboard runner",
      [PROTOCOL_HEADER]: String(PROTOCOL),
    });
    if (token) headers.set("Authorization", `Bearer ${reveal(token, "server")}`);
    let body: BodyInit = json;
    if (zip) {
      body = new Uint8Array(await promisify(gzip)(json, { level: 3 }));
      headers.set("Content-Encoding", "gzip");
    }
    const url = `${server}${path}`;
    return await fetch(url, { method: "POST", headers, body, client, signal, redirect: "manual" });
  }

  return {
    async post(path, json, answer, { limitMs, zip = false, bytesMax = ANSWER_BYTES_MAX, signal }) {
      const abort = linkedAbort(...signal ? [signal] : []);
      const seconds = Math.round(limitMs / 1000);
      const release = after(
        limitMs,
        () => abort.abort(new Error(`The server did not answer within ${seconds} seconds`)),
      );
      try {
        const response = await send(path, json, zip, abort.signal);
        if (!response.ok) throw await refusal(response);
        const text = await readText(response, bytesMax);
        return answer.parse(JSON.parse(text));
      } catch (error) {
        throw abort.signal.aborted ? abort.signal.reason : error;
      } finally {
        release();
        abort.release();
      }
    },
    renew() {
      client.close();
      client = open();
    },
    close: () => client.close(),
  };
}

async function refusal(response: Response): Promise<Refused> {
  const { status, headers } = response;
  const text = await readText(response, ANSWER_BYTES_MAX).catch(() => "");
  const said = errorOf(text);
  const seconds = Number(headers.get("retry-after"));
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
