import { createHmac } from "node:crypto";
import { scrub } from "../base/scrub.ts";
import { SEND_MS_MAX, type SendResult } from "./channel.ts";

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
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body,
      signal: AbortSignal.timeout(SEND_MS_MAX),
    });
    const answer = await response.text();
    if (response.ok) return { ok: true };
    const reason = `${response.status} ${scrub(answer, secrets).slice(0, 300)}`.trim();
    return { ok: false, reason, retry: isPassing(response.status) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // fetch repeats the whole address, which may be as secret as a password.
    return { ok: false, reason: scrub(reason, [url, ...secrets]), retry: true };
  }
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
