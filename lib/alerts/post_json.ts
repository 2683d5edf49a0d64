import { createHmac } from "node:crypto";
import { exchange } from "../base/exchange.ts";
import { answerStart, Unanswered } from "../base/outgoing.ts";
import { scrub } from "../base/scrub.ts";
import { SEND_MS_MAX, type SendResult } from "./channel.ts";

const ANSWER_BYTES_MAX = 64 * 1024;

interface PostOptions {
  body: string;
  headers?: Record<string, string>;
  /** Texts to remove from the failure, which is logged and shown to people. */
  secrets: string[];
}

/** Whether a later attempt may succeed after this status. */
export const isPassing = (status: number) => status >= 500 || status === 408 || status === 429;

/** Posts JSON within the time limit of an attempt. */
export async function postJson(
  url: string,
  { body, headers, secrets }: PostOptions,
): Promise<SendResult> {
  try {
    const { status, answer } = await exchange(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body,
      limitMs: SEND_MS_MAX,
      redirect: "follow",
    }, async (answer) => ({
      status: answer.status,
      answer: await answerStart(answer, ANSWER_BYTES_MAX),
    }));
    if (status >= 200 && status < 300) return { ok: true };
    const reason = `${status} ${scrub(answer, secrets).slice(0, 300)}`.trim();
    return { ok: false, reason, retry: isPassing(status) };
  } catch (error) {
    // fetch repeats the whole address, which may be as secret as a password.
    return unsent(error, [url, ...secrets]);
  }
}

/** Returns the result for a request without a usable answer. */
export function unsent(error: unknown, secrets: readonly string[]): SendResult {
  const reason = error instanceof Error ? error.message : String(error);
  const isFinal = error instanceof Unanswered && error.why === "switched";
  return { ok: false, reason: scrub(reason, secrets), retry: !isFinal };
}

/** Posts an object, with a signature of its text if there is a secret. */
export function postSigned(
  url: string,
  secret: string | null,
  object: object,
): Promise<SendResult> {
  const body = JSON.stringify(object);
  const headers: Record<string, string> = {};
  if (secret) {
    const digest = createHmac("sha256", secret).update(body).digest("hex");
    headers["X-Callboard-Signature"] = `sha256=${digest}`;
  }
  return postJson(url, { body, headers, secrets: [url] });
}
