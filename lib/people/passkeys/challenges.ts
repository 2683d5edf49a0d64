import { hashToken } from "../../access/bearer_tokens.ts";
import type { Deps } from "../../access/deps.ts";
import { rowKeys } from "../../store/keys.ts";

const CHALLENGE_MS = 5 * 60_000;

interface ChallengeRow {
  challenge: string;
  until: string;
}

/** Stores what a passkey must sign, for the owner of `holder`: a cookie's text, or a session. */
export async function keepChallenge(
  { kv, clock }: Pick<Deps, "kv" | "clock">,
  holder: string,
  challenge: string,
): Promise<void> {
  const until = new Date(clock.now().getTime() + CHALLENGE_MS).toISOString();
  const row: ChallengeRow = { challenge, until };
  await kv.set(rowKeys.passkeyChallenge(hashToken(holder)), row, { expireIn: CHALLENGE_MS });
}

/**
 * Takes the challenge, which counts for one answer, right or wrong. Returns null if there is none.
 */
export async function takeChallenge(
  { kv, clock }: Pick<Deps, "kv" | "clock">,
  holder: string,
): Promise<string | null> {
  const entry = await kv.get<ChallengeRow>(rowKeys.passkeyChallenge(hashToken(holder)));
  if (!entry.value || !(await kv.atomic().check(entry).delete(entry.key).commit()).ok) return null;
  const isInTime = clock.now().getTime() < Date.parse(entry.value.until);
  return isInTime ? entry.value.challenge : null;
}
