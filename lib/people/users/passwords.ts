import type { UserActor } from "../../access/actor.ts";
import type { Deps } from "../../access/deps.ts";
import { revokeApiTokens } from "../../access/api_tokens.ts";
import { revokeSessions } from "../../access/sessions.ts";
import { forgetTrustedBrowsers } from "../factors/repository.ts";
import { forgetPasskeys } from "../passkeys/repository.ts";
import { forgetNetworks } from "../sessions/known_devices.ts";
import { getUser as getUserRow } from "./repository.ts";

/** The hash of a password, or null where it is the account's: who describes accounts repeats it. */
export async function newHash(
  { kv, passwords }: Pick<Deps, "kv" | "passwords">,
  id: number,
  password: string,
): Promise<string | null> {
  if (password === "") return null;
  const before = await getUserRow(kv, id);
  const isSame = await passwords.verify(password, before.password);
  return isSame ? null : await passwords.hash(password);
}

/**
 * Ends all sessions of an account and, where that is asked for or an admin sets somebody else's
 * password, its API tokens and passkeys; but for the one through which this is done. Browsers that were remembered
 * are asked for a code again.
 */
export async function endAccess(
  { kv }: Pick<Deps, "kv">,
  { id: actorId, credential }: UserActor,
  id: number,
  revokeTokens: boolean | null | undefined,
) {
  await revokeSessions(kv, id, credential.hash);
  // After the sessions, which could make new ones.
  if (revokeTokens ?? actorId !== id) {
    await revokeApiTokens(kv, id, credential.hash);
    await forgetPasskeys(kv, id);
  }
  await forgetTrustedBrowsers(kv, id);
  if (actorId !== id) await forgetNetworks(kv, id);
}
