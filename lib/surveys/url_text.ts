import { AppError } from "../base/errors.ts";
import { exchange } from "../http/exchange.ts";
import { answerText, Unanswered } from "../http/outgoing.ts";
import { type AllowedUrl, findAllowed } from "../base/settings/survey_urls.ts";
import { DOCUMENT_BYTES_MAX } from "./read_choices.ts";

/**
 * Returns the answer of an address that the settings allow. Redirects are not followed, because
 * they could lead to any address. No error repeats the address, which may be secret. Throws 422
 * with the reason.
 */
export async function readUrlText(
  allowed: readonly AllowedUrl[],
  url: string,
  limitMs: number,
): Promise<string> {
  const found = findAllowed(allowed, url);
  if (!found) throw failure("not_allowed");
  const request = {
    headers: {
      accept: "application/json, application/yaml, text/yaml, */*;q=0.5",
      "user-agent": "Callboard",
      ...found.authorization && { authorization: found.authorization },
    },
    limitMs,
  };
  return await exchange(url, request, async (answer) => {
    if (answer.status !== 200) throw failure("status", { status: answer.status });
    return await answerText(answer, DOCUMENT_BYTES_MAX);
  }).catch((error) => {
    if (error instanceof AppError) throw error;
    const { why } = error instanceof Unanswered ? error : { why: null };
    if (why === "late") throw failure("time_limit", { seconds: limitMs / 1000 });
    if (why === "too_large") throw failure("too_large", { bytes: DOCUMENT_BYTES_MAX });
    // A switch of protocol is the only status that never reaches the reader.
    throw why === "switched" ? failure("status", { status: 101 }) : failure("unreachable");
  });
}

const failure = (name: string, params: Record<string, number> = {}) =>
  new AppError(422, `errors.choices.${name}`, params);
