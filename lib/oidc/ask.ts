import { inLimit } from "../base/abort.ts";
import { readText } from "../base/body.ts";
import { SignInFailure } from "./failure.ts";

const LIMIT_MS = 10_000;
const BYTES_MAX = 512 * 1024;

/** What a provider has answered, read to its end within limits of time and size. */
interface Answer {
  status: number;
  text: string;
}

/**
 * Asks a provider. Redirects are not followed: what is sent is secret, and only meant for whom the
 * settings name. Throws a failure that says why where nothing is answered in time.
 */
export async function ask(
  url: string,
  { headers, ...init }: RequestInit = {},
  limitMs = LIMIT_MS,
): Promise<Answer> {
  const { host } = new URL(url);
  const signal = AbortSignal.timeout(limitMs);
  try {
    const response = await fetch(url, {
      ...init,
      headers: { Accept: "application/json", "User-Agent": "Callboard", ...headers },
      redirect: "manual",
      signal,
    });
    const text = await inLimit(
      readText(response, BYTES_MAX),
      limitMs,
      () => new Error("the answer did not end in time"),
    );
    return { status: response.status, text };
  } catch (error) {
    // fetch repeats the whole address, which may be as good as a password.
    const why = signal.aborted
      ? "no answer in time"
      : error instanceof Error
      ? error.message.replaceAll(url, host)
      : String(error);
    throw new SignInFailure("down", `${host}: ${why.slice(0, 300)}`);
  }
}

/** The JSON object that a provider answers. Throws a failure for any other answer. */
export async function askJson(url: string, init?: RequestInit): Promise<Record<string, unknown>> {
  const { status, text } = await ask(url, init);
  if (status !== 200) {
    const told = status >= 500 ? "down" : "untrusted";
    throw new SignInFailure(told, `${new URL(url).host} answered ${status}${errorIn(text)}`);
  }
  return objectIn(text, url);
}

function objectIn(text: string, url: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Told below.
  }
  throw new SignInFailure("untrusted", `${new URL(url).host} answered no JSON object`);
}

/** The code of an error, which is for machines, where there is one. */
function errorIn(text: string): string {
  const code = /"error"\s*:\s*"([\w .-]{1,80})"/.exec(text)?.[1];
  return code ? ` ${code}` : "";
}
