import type { PublicDeps } from "../../access/deps.ts";
import { AppError, type Sentence } from "../../base/errors.ts";
import { describeError } from "../../base/log.ts";
import { SignInFailure } from "../../oidc/failure.ts";

/** The person who tried to sign in, as far as the provider has named them. */
export interface Person {
  subject: string;
  username: string;
}

/** Logs a failure. Returns its message, with a reference that the line in the log has as well. */
export function logSsoFailure(
  { log, providers }: PublicDeps,
  id: string,
  error: unknown,
  person?: Person,
): Sentence {
  const ref = crypto.randomUUID().slice(0, 8);
  const provider = providers.find(id)?.settings.display_name ?? id.slice(0, 50);
  const noted = error instanceof SignInFailure
    ? { reason: error.reason, why: error.why }
    : error instanceof AppError
    ? { reason: error.key }
    : describeError(error);
  const level = "reason" in noted ? "warn" : "error";
  log(level, "sso_failed", { ref, provider: id.slice(0, 50), ...person, ...noted });
  const params = { ref, provider };
  if (error instanceof SignInFailure) return { key: `errors.sso.${error.reason}`, params };
  if (error instanceof AppError) return { key: error.key, params: { ...error.params, ...params } };
  return { key: "errors.sso.internal", params };
}
