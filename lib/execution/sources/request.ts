import { Buffer } from "node:buffer";
import http from "node:http";
import https from "node:https";
import { linkedAbort } from "../../base/abort.ts";
import { after } from "../../base/after.ts";
import { checkedLookup, ForbiddenAddress, requireAllowedHost } from "../../base/checked_lookup.ts";
import { isInNetworks, isPublicAddress } from "../../base/network.ts";
import { scrub } from "../../base/scrub.ts";
import { sourceError, Unavailable } from "./errors.ts";
import type { SourceMachine } from "./kind.ts";
import type { PlanStorage } from "./plan_storage.ts";
import { ANSWER_BYTES_MAX } from "./text_values.ts";

const LIMIT_MS = 10_000;
const WHY_MAX = 200;
/** Answers of services that are overloaded, sealed, in maintenance, or not ready. */
const PASSING_CODES = [408, 425, 429, 472, 473, 500, 502, 503, 504];

interface SourceRequest {
  url: string;
  method?: "GET" | "POST" | "PUT";
  headers?: Record<string, string>;
  /** Sent as JSON, unless it is a text. */
  body?: object | string;
  /** Certificates in PEM of authorities to trust beside the system's. */
  ca?: string;
  /** Texts to remove from what a failure says. */
  secrets?: readonly string[];
}

interface SourceAnswer {
  code: number;
  text: string;
  /** The text without secrets, and short enough for a sentence. */
  said: string;
}

/** Storage and path of a request, for its errors. */
interface Asking {
  storage: PlanStorage;
  machine: SourceMachine;
  path: string;
  stop: AbortSignal;
}

/**
 * Asks a storage over HTTP, with limits of time and size. Redirects are not followed, because their
 * address was not checked and would get the credential. Throws `Unavailable` for a storage that
 * cannot be reached or says that it is not ready.
 */
export async function askSource(
  { storage, machine, path, stop }: Asking,
  { url, method = "GET", headers = {}, body, ca, secrets = [] }: SourceRequest,
): Promise<SourceAnswer> {
  const { networks } = machine.sources;
  const mayReach = (address: string) =>
    networks === null || storage.allowPrivate || isPublicAddress(address) ||
    isInNetworks(address, networks);
  const sent = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
  const target = new URL(url);
  try {
    requireAllowedHost(target, mayReach);
    const { code, text } = await exchange(target, {
      method,
      headers: {
        "User-Agent": "Callboard",
        "Content-Length": Buffer.byteLength(sent),
        ...typeof body === "object" && { "Content-Type": "application/json" },
        ...headers,
      },
      // A pooled connection would skip the check of its address.
      agent: false,
      lookup: checkedLookup(mayReach),
      ...ca && { ca: [ca] },
    }, { body: sent, stop, tooLarge: () => tooLarge(storage, path) });
    const said = scrub(text, secrets).replaceAll(/\s+/g, " ").trim().slice(0, WHY_MAX);
    if (code >= 300 && code < 400) throw sourceError(storage, path, "redirect");
    if (PASSING_CODES.includes(code)) throw new Unavailable(`${code} ${said}`.trim());
    return { code, text, said };
  } catch (error) {
    if (error instanceof ForbiddenAddress) throw sourceError(storage, path, "private_address");
    if (isUnsendable(error)) throw sourceError(storage, path, "sign_in", { why: error.message });
    throw error;
  }
}

/** Whether a credential has characters that no header can have. The message names the header. */
const isUnsendable = (error: unknown): error is Error =>
  error instanceof TypeError && "code" in error && error.code === "ERR_INVALID_CHAR";

const tooLarge = (storage: PlanStorage, path: string) =>
  sourceError(storage, path, "too_large", { max: ANSWER_BYTES_MAX / 1024 });

interface Exchange {
  body: string;
  stop: AbortSignal;
  tooLarge(): Error;
}

async function exchange(
  url: URL,
  options: https.RequestOptions,
  { body, stop, tooLarge }: Exchange,
): Promise<{ code: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number; text: string }>();
  const limit = linkedAbort(stop);
  const cancel = after(LIMIT_MS, () => limit.abort());
  const { request } = url.protocol === "https:" ? https : http;
  const failed = (error: Error) =>
    reject(
      error instanceof ForbiddenAddress
        ? error
        : new Unavailable(limit.signal.aborted ? "no answer in time" : messageOf(error)),
    );
  const sent = request(url, { ...options, signal: limit.signal });
  sent.on("error", failed);
  sent.on("response", (response: http.IncomingMessage) => {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    response.on("data", (chunk: Uint8Array) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= ANSWER_BYTES_MAX) return;
      reject(tooLarge());
      sent.destroy();
    });
    response.on(
      "end",
      () => resolve({ code: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
    );
    response.on("error", failed);
  });
  sent.end(body);
  try {
    return await promise;
  } finally {
    cancel();
    limit.release();
  }
}

/** Returns the reason of a failed connection. It names the host and the port at most. */
const messageOf = (error: Error & { code?: string }): string =>
  (error.message || error.code || error.name).slice(0, WHY_MAX);
