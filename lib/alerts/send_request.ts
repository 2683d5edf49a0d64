import { ForbiddenAddress, type Resolve } from "../http/checked_lookup.ts";
import { cutText } from "../base/text/cut_text.ts";
import { exchange } from "../http/exchange.ts";
import { answerStart, Unanswered } from "../http/outgoing.ts";
import { scrub } from "../base/text/scrub.ts";
import type { OutgoingRequest } from "./kinds/kind.ts";
import { SEND_MS_MAX, type SendResult } from "./send_result.ts";

const ANSWER_BYTES_MAX = 64 * 1024;
const REASON_BYTES_MAX = 300;

interface SendOptions {
  /** Texts to remove from the failure, which is logged and shown to people. */
  secrets: readonly string[];
  /**
   * Limits the IP addresses of a target that people set up. Each address of its host is checked,
   * and the connection goes to a checked one, so that a name cannot resolve to something else in
   * between. Redirects are not followed, because their address was not checked. Without it, the
   * address is one of the server's settings.
   */
  reach?: {
    mayReach(address: string): boolean;
    /** Resolves names. Tests replace it. */
    resolve?: Resolve;
  };
}

/** Sends a request within the time limit of an attempt. */
export async function sendRequest(
  { url, method, headers, body }: OutgoingRequest,
  { secrets, reach }: SendOptions,
): Promise<SendResult> {
  try {
    const { code, text } = await exchange(url, {
      method,
      headers: { "User-Agent": "Callboard", ...headers },
      body,
      limitMs: SEND_MS_MAX,
      ...reach ? { reach } : { redirect: "follow" },
    }, async (answer) => ({
      code: answer.status,
      text: await answerStart(answer, ANSWER_BYTES_MAX),
    }));
    if (code >= 200 && code < 300) return { ok: true, code };
    const reason = `${code} ${cutText(scrub(text, secrets), REASON_BYTES_MAX)}`.trim();
    return { ok: false, reason, retry: isPassing(code), code };
  } catch (error) {
    if (error instanceof ForbiddenAddress) {
      return { ok: false, reason: { key: "errors.alerts.private_address" }, retry: false };
    }
    const reason = error instanceof Error ? error.message : String(error);
    const isFinal = error instanceof Unanswered && error.why === "switched";
    // fetch repeats the whole address, which may be as secret as a password.
    return { ok: false, reason: scrub(reason, [url, ...secrets]), retry: !isFinal };
  }
}

/** Whether a later attempt may succeed after this status. */
const isPassing = (status: number) => status >= 500 || status === 408 || status === 429;
