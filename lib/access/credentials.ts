import { AppError } from "../base/errors.ts";
import type { UserActor } from "./actor.ts";

/**
 * The hash of the session that `actor` speaks through. Throws 403 for an API token: one that was
 * stolen must not give its thief what lasts longer than it.
 */
export function requireSession({ credential }: UserActor): string {
  if (credential.kind !== "session") throw new AppError(403, "errors.token_needs_session");
  return credential.hash;
}

/** Throws 403, with the sentence `key`, for an API token that may not make others. */
export function requireFullToken({ credential }: UserActor, key: string): void {
  if (credential.kind === "token" && !credential.makesTokens) throw new AppError(403, key);
}
