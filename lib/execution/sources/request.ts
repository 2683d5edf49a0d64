import { ForbiddenAddress } from "../../http/checked_lookup.ts";
import { AppError } from "../../base/errors.ts";
import { exchange } from "../../http/exchange.ts";
import { isInNetworks, isPublicAddress } from "../../base/network.ts";
import { answerText, Unanswered } from "../../http/outgoing.ts";
import { scrub } from "../../base/text/scrub.ts";
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
  try {
    const { code, text } = await exchange(url, {
      method,
      headers: {
        "User-Agent": "Callboard",
        ...typeof body === "object" && { "Content-Type": "application/json" },
        ...headers,
      },
      body: typeof body === "object" ? JSON.stringify(body) : body,
      limitMs: LIMIT_MS,
      signal: stop,
      reach: { mayReach },
      ca: ca ? [ca] : [],
    }, async (answer) => ({
      code: answer.status,
      text: await answerText(answer, ANSWER_BYTES_MAX),
    }));
    const said = scrub(text, secrets).replaceAll(/\s+/g, " ").trim().slice(0, WHY_MAX);
    if (code >= 300 && code < 400) throw sourceError(storage, path, "redirect");
    if (PASSING_CODES.includes(code)) throw new Unavailable(`${code} ${said}`.trim());
    return { code, text, said };
  } catch (error) {
    if (stop.aborted || error instanceof AppError || error instanceof Unavailable) throw error;
    throw failureOf(error as Error, storage, path);
  }
}

/** Returns the error for a request without a usable answer. Time may help against some of them. */
function failureOf(error: Error & { code?: string }, storage: PlanStorage, path: string): Error {
  if (error instanceof ForbiddenAddress) return sourceError(storage, path, "private_address");
  const why = (error.message || error.code || error.name).slice(0, WHY_MAX);
  if (isUnsendable(error)) return sourceError(storage, path, "sign_in", { why: error.message });
  if (!(error instanceof Unanswered) || error.why === "late") return new Unavailable(why);
  return error.why === "too_large"
    ? sourceError(storage, path, "too_large", { max: ANSWER_BYTES_MAX / 1024 })
    : sourceError(storage, path, "unreachable", { why });
}

/** Whether a credential has characters that no header can have. The message names the header. */
const isUnsendable = (error: Error & { code?: string }): boolean =>
  error instanceof TypeError && error.code === "ERR_INVALID_CHAR";
