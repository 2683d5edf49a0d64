import { exchange } from "../http/exchange.ts";
import { answerText } from "../http/outgoing.ts";
import { whyOf } from "../base/why.ts";
import { SignInFailure } from "./failure.ts";

const LIMIT_MS = 10_000;
const BYTES_MAX = 512 * 1024;

/** Options of a request to a provider. */
interface AskInit {
  method?: string;
  headers?: HeadersInit;
  body?: string;
  /** Certificates in PEM that are trusted beside the system's; null for the system's alone. */
  ca: string | null;
}

/** A provider's complete answer, read within limits of time and size. */
interface Answer {
  status: number;
  text: string;
}

/**
 * Sends a request to a provider. Redirects are not followed, because the request is secret and
 * meant only for the host of the settings. Throws a failure with the reason if no answer arrives in
 * time.
 */
export async function fetchFromProvider(
  url: string,
  { method, headers, body, ca }: AskInit,
  limitMs = LIMIT_MS,
): Promise<Answer> {
  const { host } = new URL(url);
  try {
    return await exchange(url, {
      method,
      headers: {
        ...Object.fromEntries(new Headers(headers)),
        accept: "application/json",
        "user-agent": "Callboard",
      },
      body,
      limitMs,
      ca: ca === null ? [] : [ca],
    }, async (answer) => ({ status: answer.status, text: await answerText(answer, BYTES_MAX) }));
  } catch (error) {
    const { cause, text } = whyOf(error);
    const see = cause === "untrusted" ? "; see ca_file" : "";
    // The error of fetch repeats the whole URL, which may be as secret as a password.
    throw new SignInFailure("down", `${host}: ${text.replaceAll(url, host)}${see}`);
  }
}

/** Returns the JSON object that a provider answers. Throws a failure for any other answer. */
export async function askJson(url: string, init: AskInit): Promise<Record<string, unknown>> {
  const { status, text } = await fetchFromProvider(url, init);
  const { host } = new URL(url);
  const answer = status === 200 ? objectIn(text, host) : null;
  // GitHub reports errors with status 200.
  if (answer !== null && typeof answer.error !== "string") return answer;
  const reason = status >= 500 ? "down" : "untrusted";
  throw new SignInFailure(reason, `${host} answered ${status}${errorIn(text)}`);
}

function objectIn(text: string, host: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Reported below.
  }
  throw new SignInFailure("untrusted", `${host} did not answer with a JSON object`);
}

/** Returns the code of an error and the provider's explanation for the administrator. */
function errorIn(text: string): string {
  const code = /"error"\s*:\s*"([\w .-]{1,80})"/.exec(text)?.[1];
  const more = /"error_description"\s*:\s*"([^"\\\p{Cc}]{1,200})/u.exec(text)?.[1];
  return [code && ` ${code}`, more && ` (${more})`].filter(Boolean).join("");
}
