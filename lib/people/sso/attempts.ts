import { Buffer } from "node:buffer";
import type { Deps } from "../../access/deps.ts";
import { hashToken } from "../../access/bearer_tokens.ts";
import { reveal } from "../../base/secret.ts";
import { rowKeys } from "../../kv/keys.ts";
import type { Attempt } from "../../oidc/client.ts";

/** How long somebody may take at their provider. */
const KEPT_MS = 10 * 60_000;

/** What is remembered of somebody who went to a provider, sealed, until they come back. */
export interface SsoAttempt extends Attempt {
  provider: string;
  /** Whom the answer must be from. */
  issuer: string;
  /** Of the secret that only this browser has. */
  browserHash: string;
  /** The page of ours to go on to. */
  next: string;
  /** Of whom wants to link their account: it, and the session that they asked in. */
  link?: { userId: number; session: string };
  at: number;
}

export const COOKIE_AGE_SECONDS = KEPT_MS / 1000;

/** The cookie that binds an attempt to a browser: one for each, so that two windows do not disturb each other. */
export const cookieName = (state: string): string =>
  `callboard_sso_${hashToken(state).replaceAll(/[^A-Za-z0-9]/g, "").slice(0, 8)}`;

/** What a browser must bring back, and what is stored of it. */
export function newBrowserSecret(): { text: string; hash: string } {
  const text = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
  return { text, hash: hashToken(text) };
}

export async function keepAttempt({ kv, secrets }: Deps, attempt: SsoAttempt): Promise<void> {
  const sealed = await secrets.seal(JSON.stringify(attempt));
  await kv.set(rowKeys.ssoAttempt(hashToken(attempt.state)), sealed, { expireIn: KEPT_MS });
}

/** The attempt of a state, which is taken once; null when there is none, or it is too old. */
export async function takeAttempt(
  { kv, secrets, clock }: Deps,
  state: string,
): Promise<SsoAttempt | null> {
  const entry = await kv.get<Uint8Array>(rowKeys.ssoAttempt(hashToken(state)));
  if (!entry.value) return null;
  const { ok } = await kv.atomic().check(entry).delete(entry.key).commit();
  if (!ok) return null;
  const attempt: SsoAttempt = JSON.parse(reveal(await secrets.open(entry.value)));
  return Math.abs(clock.now().getTime() - attempt.at) < KEPT_MS ? attempt : null;
}
