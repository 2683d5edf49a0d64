import type { UserActor } from "../../access/actor.ts";
import { requireSession } from "../../access/credentials.ts";
import type { Deps } from "../../access/deps.ts";
import { revokeApiTokens } from "../../access/api_tokens.ts";
import { revokeSessions } from "../../access/sessions.ts";
import { forgetTrustedBrowsers } from "../factors/repository.ts";
import { forgetPasskeys } from "../passkeys/repository.ts";
import { forgetNetworks } from "../sessions/known_devices.ts";
import { confirmOwner, confirmPassword } from "./confirm_password.ts";
import { getUser as getUserRow } from "./repository.ts";
import type { UserChangeForm } from "./schema.ts";

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
 * The same of one's own account, whose password and e-mail address only its owner changes: see
 * `confirmOwner`. Clients that describe accounts repeat both, which changes nothing.
 */
export async function newOwnHash(
  deps: Pick<Deps, "kv" | "clock" | "passwords">,
  actor: UserActor,
  form: UserChangeForm,
): Promise<string | null> {
  const { email, external, password } = await getUserRow(deps.kv, actor.id);
  const { password: typed } = form;
  if (external || (email === form.email && typed === "")) return null;
  if (email !== form.email || form.current_password || password === null) {
    await confirmOwner(deps, actor, form);
    return await newHash(deps, actor.id, typed);
  }
  // Limited as other guesses are: nobody is told for free whether a text is the password.
  await confirmPassword(deps, actor, typed).catch((error) => {
    if (error.status === 400) requireSession(actor);
    throw error;
  });
  return null;
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
