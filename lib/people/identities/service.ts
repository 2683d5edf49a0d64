import type { AccountScope, AdminScope } from "../../access/scope.ts";
import { requireSession } from "../../access/credentials.ts";
import type { Deps } from "../../access/deps.ts";
import type { RuleWordsRow } from "../../access/rule_words.ts";
import { AppError, conflict, notFound } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import { confirmPassword } from "../throttling/confirm_password.ts";
import { findUser, getUserEntry } from "../../model/accounts.ts";
import { createAccount } from "./accounts.ts";
import {
  getIdentity,
  IDENTITIES_MAX,
  identityRow,
  idOf,
  listIdentityRows,
  removeIdentity,
  setIdentity,
} from "./repository.ts";
import type { IdentityRow, IdentityView, Proof } from "./schema.ts";
import { findWaiting, forgetWaiting } from "./waiting.ts";

/** Returns the providers that an account is linked with. */
export const listIdentities = async ({ deps, userId }: AccountScope): Promise<IdentityView[]> =>
  (await listIdentityRows(deps.kv, userId)).map((row) => {
    const { provider, name, created, last_used } = row;
    return { id: idOf(row), provider, name, created, last_used };
  });

/**
 * Links an account with the identity that its owner has just proved. Throws 409 if another account
 * has it, or if the account has too many links.
 */
export async function linkIdentity(
  { deps, actor, userId }: AccountScope<Pick<Deps, "kv" | "clock">>,
  proof: Proof,
): Promise<void> {
  const { kv } = deps;
  requireSession(actor);
  await transact(kv, async (op) => {
    const [user, before] = [await getUserEntry(kv, userId), await getIdentity(kv, proof)];
    // An identity whose account is gone belongs to no one.
    const owner = before.value && await findUser(kv, before.value.user_id);
    if (owner && owner.value.id !== userId) throw conflict("errors.external.linked_elsewhere");
    const linked = await listIdentityRows(kv, userId);
    if (linked.length >= IDENTITIES_MAX) throw conflict("errors.external.too_many_links");
    op.check(user, before).set(user.key, user.value);
    setIdentity(op, identityRow(deps, userId, proof));
    recordEvent(op, deps, actor, eventOf(userId, user.value.username, "linked", proof.provider));
  });
}

/**
 * Unlinks an account from an identity. Requires a session, and for one's own account the password.
 * Throws 409 if no way to sign in would be left.
 */
export async function unlinkIdentity(
  { deps, actor, userId }: AccountScope,
  id: string,
  password = "",
): Promise<void> {
  const { kv, config } = deps;
  requireSession(actor);
  if (actor.id === userId) await confirmPassword(deps, actor, password);
  await transact(kv, async (op) => {
    // Rewrites the user's row, so that the second of two parallel removals notices that it is the
    // last.
    const user = await getUserEntry(kv, userId);
    const linked = await listIdentityRows(kv, userId);
    const row = linked.find((one) => idOf(one) === id);
    if (!row) throw notFound();
    const byPassword = config.passwordSignIn && !user.value.external &&
      user.value.password !== null;
    const isLast = !linked.some((one) => one !== row && isOffered(deps, one));
    if (!byPassword && isLast) throw new AppError(409, "errors.external.last_way");
    op.check(user).set(user.key, user.value);
    removeIdentity(op, row);
    // If this process ends here, the next request checks what rules granted for this provider.
    op.set(rowKeys.ruleWords(userId), { since: 0, looked: 0 } satisfies RuleWordsRow);
    recordEvent(op, deps, actor, eventOf(userId, user.value.username, "unlinked", row.provider));
  });
}

/** Whether people can sign in with an identity, as this server is currently configured. */
export const isOffered = (
  { config, directory, providers }: Pick<Deps, "config" | "directory" | "providers">,
  { kind, provider }: IdentityRow,
): boolean =>
  kind === "ldap" ? config.passwordSignIn && directory !== null : providers.find(provider) !== null;

/** Accepts a person who waits. Throws 403 if an account has their e-mail address by then. */
export async function acceptWaiting(scope: AdminScope, id: string): Promise<void> {
  const row = await findWaiting(scope, id);
  await createAccount(scope.deps, { ...row, claims: {} }, scope.actor);
  await forgetWaiting(scope.deps.kv, row);
}

const eventOf = (id: number, name: string, action: string, provider: string) =>
  ({ projectId: 0, object: "user", id, name, action, params: { provider } }) as const;
