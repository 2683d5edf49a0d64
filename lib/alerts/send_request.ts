import { Buffer } from "node:buffer";
import http from "node:http";
import https from "node:https";
import {
  checkedLookup,
  ForbiddenAddress,
  requireAllowedHost,
  type Resolve,
} from "../base/checked_lookup.ts";
import { scrub } from "../base/scrub.ts";
import { SEND_MS_MAX, type SendResult } from "./channel.ts";
import type { OutgoingRequest } from "./kinds/kind.ts";
import { isPassing } from "./post_json.ts";

const ANSWER_BYTES_MAX = 64 * 1024;
const REASON_MAX = 300;

interface SendOptions {
  /** Texts to remove from the failure, which is logged and shown to people. */
  secrets: readonly string[];
  /** Whether a target may have this IP address. */
  mayReach(address: string): boolean;
  /** Resolves names. Tests replace it. */
  resolve?: Resolve;
}

/**
 * Sends a request within the time limit of an attempt. Each address of its host is checked, and the
 * connection goes to a checked one, so that a name cannot resolve to something else in between.
 * Redirects are not followed, because their address was not checked.
 */
export async function sendRequest(
  { url, method, headers, body }: OutgoingRequest,
  { secrets, mayReach, resolve }: SendOptions,
): Promise<SendResult> {
  try {
    const target = new URL(url);
    requireAllowedHost(target, mayReach);
    const { code, text } = await exchange(target, {
      method,
      headers: { "User-Agent": "Callboard", "Content-Length": Buffer.byteLength(body), ...headers },
      // A pooled connection would skip the check of its address.
      agent: false,
      lookup: checkedLookup(mayReach, resolve),
    }, body);
    if (code >= 200 && code < 300) return { ok: true, code };
    const reason = `${code} ${scrub(text, secrets).slice(0, REASON_MAX)}`.trim();
    return { ok: false, reason, retry: isPassing(code), code };
  } catch (error) {
    if (error instanceof ForbiddenAddress) {
      return { ok: false, reason: { key: "errors.alerts.private_address" }, retry: false };
    }
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, reason: scrub(reason, [url, ...secrets]), retry: true };
  }
}

function exchange(
  url: URL,
  options: https.RequestOptions,
  body: string,
): Promise<{ code: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number; text: string }>();
  const { request } = url.protocol === "https:" ? https : http;
  const signal = AbortSignal.timeout(SEND_MS_MAX);
  const sent = request(url, { ...options, signal });
  sent.on("error", (error) => reject(signal.aborted ? new Error("no answer in time") : error));
  sent.on("response", (response: http.IncomingMessage) => {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const finish = () =>
      resolve({ code: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
    response.on("data", (chunk: Uint8Array) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= ANSWER_BYTES_MAX) return;
      finish(); // its status is known
      sent.destroy();
    });
    response.on("end", finish);
    response.on("error", reject);
  });
  sent.end(body);
  return promise;
}
