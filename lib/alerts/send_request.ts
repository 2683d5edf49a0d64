import { ForbiddenAddress, type Resolve } from "../base/checked_lookup.ts";
import { exchange } from "../base/exchange.ts";
import { answerStart } from "../base/outgoing.ts";
import { scrub } from "../base/scrub.ts";
import { SEND_MS_MAX, type SendResult } from "./channel.ts";
import type { OutgoingRequest } from "./kinds/kind.ts";
import { isPassing, unsent } from "./post_json.ts";

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
    const { code, text } = await exchange(url, {
      method,
      headers: { "User-Agent": "Callboard", ...headers },
      body,
      limitMs: SEND_MS_MAX,
      reach: { mayReach, resolve },
    }, async (answer) => ({
      code: answer.status,
      text: await answerStart(answer, ANSWER_BYTES_MAX),
    }));
    if (code >= 200 && code < 300) return { ok: true, code };
    const reason = `${code} ${scrub(text, secrets).slice(0, REASON_MAX)}`.trim();
    return { ok: false, reason, retry: isPassing(code), code };
  } catch (error) {
    if (error instanceof ForbiddenAddress) {
      return { ok: false, reason: { key: "errors.alerts.private_address" }, retry: false };
    }
    return unsent(error, [url, ...secrets]);
  }
}
