import { AppError } from "../base/errors.ts";
import { isProjectToken, type UserActor } from "./actor.ts";

/**
 * Returns the hash of the session that `actor` uses. Throws 403 for an API token, because the thief
 * of a token must not gain anything that outlasts it.
 */
export function requireSession({ credential }: UserActor): string {
  if (credential.kind !== "session") throw new AppError(403, "errors.token_needs_session");
  return credential.hash;
}

/**
 * Throws 403 with the message `key` for an API token that may not create others, or that may not do
 * all that its person may.
 */
export function requireFullToken({ credential }: UserActor, key: string): void {
  const isFull = credential.makesTokens && !credential.limits;
  if (credential.kind === "token" && !isFull) throw new AppError(403, key);
}

/** Throws 403 for a token of a project, which has no account. */
export function requireAccount(actor: UserActor): void {
  if (isProjectToken(actor)) throw new AppError(403, "errors.token_of_project");
}
