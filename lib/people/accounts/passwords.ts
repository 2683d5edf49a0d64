import type { UserActor } from "../../access/actor.ts";
import { requireSession } from "../../access/credentials.ts";
import type { Deps } from "../../access/deps.ts";
import { revokeApiTokens } from "../../access/api_tokens.ts";
import { revokeSessions } from "../../access/sessions.ts";
import { forgetTrustedBrowsers } from "../factors/repository.ts";
import { forgetPasskeys } from "../passkeys/repository.ts";
import { forgetNetworks } from "../throttling/known_devices.ts";
import { confirmOwner, confirmPassword } from "../throttling/confirm_password.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { getUserRow } from "../../model/accounts.ts";
import type { UserChangeForm } from "../users/schema.ts";

/**
 * Returns the hash of a new password; null if it is empty, or already the account's. Clients that
 * describe accounts repeat it.
 */
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
 * Returns the same for the actor's own account. Only its owner changes the password and the e-mail
 * address: see `confirmOwner`. Clients that describe accounts repeat both, which changes nothing.
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
  // Limited like other guesses, so that no one learns for free whether a text is the password.
  await confirmPassword(deps, actor, typed).catch((error) => {
    if (error.status === 400) requireSession(actor);
    throw error;
  });
  return null;
}

/**
 * Ends all sessions of an account. Also ends its API tokens and passkeys if `revokeTokens` says so,
 * or by default if an admin sets someone else's password. The session or token of the request
 * stays. Trusted browsers are asked for a code again.
 */
export async function endAccess(
  { kv }: Pick<Deps, "kv">,
  { id: actorId, credential }: UserActor,
  id: number,
  revokeTokens: boolean | null | undefined,
) {
  await revokeSessions(kv, id, credential.hash);
  // Ended after the sessions, which could create new ones.
  if (revokeTokens ?? actorId !== id) {
    await revokeApiTokens(kv, id, credential.hash);
    await forgetPasskeys(kv, id);
  }
  await forgetTrustedBrowsers(kv, id);
  if (actorId !== id) await forgetNetworks(kv, id);
}

/**
 * Adds the removal of a person's own SSH keys to `op` if someone else sets their password. Whoever
 * knows it could sign in as that person and use the keys.
 */
export async function protectOwnKeys(
  kv: Store,
  op: Atomic,
  { id: actorId }: UserActor,
  id: number,
): Promise<void> {
  if (actorId === id) return;
  for await (const { key } of kv.list({ prefix: rowKeys.ownKeys(id) })) op.delete(key);
}
