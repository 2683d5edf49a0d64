import { inLimit } from "../base/abort.ts";
import { readText } from "../base/body.ts";
import { AppError } from "../base/errors.ts";
import { type AllowedUrl, findAllowed } from "../base/survey_urls.ts";
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
  const late = () => failure("time_limit", { seconds: limitMs / 1000 });
  const signal = AbortSignal.timeout(limitMs);
  const answer = await fetch(url, {
    headers: {
      accept: "application/json, application/yaml, text/yaml, */*;q=0.5",
      "user-agent": "Callboard",
      ...found.authorization && { authorization: found.authorization },
    },
    redirect: "manual",
    signal,
  }).catch(() => {
    throw signal.aborted ? late() : failure("unreachable");
  });
  if (answer.status !== 200) {
    await answer.body?.cancel();
    throw failure("status", { status: answer.status });
  }
  const text = readText(answer, DOCUMENT_BYTES_MAX).catch((error) => {
    if (signal.aborted) throw late();
    throw error instanceof AppError && error.status === 413
      ? failure("too_large", { bytes: DOCUMENT_BYTES_MAX })
      : failure("unreachable");
  });
  return await inLimit(text, limitMs, late);
}

const failure = (name: string, params: Record<string, number> = {}) =>
  new AppError(422, `errors.choices.${name}`, params);
