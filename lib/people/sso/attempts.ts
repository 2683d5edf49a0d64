import { Buffer } from "node:buffer";
import type { Deps } from "../../access/deps.ts";
import { hashToken } from "../../access/bearer_tokens.ts";
import { reveal } from "../../base/secret.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Attempt } from "../../oidc/client.ts";

/** How long a person may stay at their provider. */
const KEPT_MS = 10 * 60_000;

/** State of a person who went to a provider, stored sealed until they come back. */
export interface SsoAttempt extends Attempt {
  provider: string;
  /** Hash of the secret that only this browser has. */
  browserHash: string;
  /** Page of ours to continue on. */
  next: string;
  /** Account to link, and the session that requested it. */
  link?: { userId: number; session: string };
  at: number;
}

export const COOKIE_AGE_SECONDS = KEPT_MS / 1000;

/**
 * Returns the name of the cookie that binds an attempt to a browser. Each attempt has one, so that
 * two windows do not disturb each other.
 */
export const cookieName = (state: string): string =>
  `callboard_sso_${hashToken(state).replaceAll(/[^A-Za-z0-9]/g, "").slice(0, 8)}`;

/** Creates the secret that a browser must bring back, and the hash that is stored of it. */
export function newBrowserSecret(): { text: string; hash: string } {
  const text = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
  return { text, hash: hashToken(text) };
}

export async function keepAttempt({ kv, secrets }: Deps, attempt: SsoAttempt): Promise<void> {
  const sealed = await secrets.seal(JSON.stringify(attempt));
  await kv.set(rowKeys.ssoAttempt(hashToken(attempt.state)), sealed, { expireIn: KEPT_MS });
}

/** Returns the attempt of a state, which is taken once; null if there is none, or it is too old. */
export async function takeAttempt(
  { kv, secrets, clock }: Deps,
  state: string,
): Promise<SsoAttempt | null> {
  const entry = await kv.get<Uint8Array>(rowKeys.ssoAttempt(hashToken(state)));
  if (!entry.value) return null;
  const { ok } = await kv.atomic().check(entry).delete(entry.key).commit();
  if (!ok) return null;
  const attempt: SsoAttempt = JSON.parse(reveal(await secrets.open(entry.value), "resume"));
  return Math.abs(clock.now().getTime() - attempt.at) < KEPT_MS ? attempt : null;
}
