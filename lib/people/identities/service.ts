import type { AccountScope, AdminScope } from "../../access/scope.ts";
import { requireSession } from "../../access/credentials.ts";
import type { Deps } from "../../access/deps.ts";
import type { RuleWordsRow } from "../../access/rule_words.ts";
import { AppError, conflict, notFound } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { rowKeys } from "../../kv/keys.ts";
import { transact } from "../../kv/transact.ts";
import { confirmPassword } from "../users/confirm_password.ts";
import { findUser, getUserEntry } from "../users/repository.ts";
import { createAccount } from "./accounts.ts";
import { getIdentity, IDENTITIES_MAX, idOf, listIdentityRows } from "./repository.ts";
import { removeIdentity, setIdentity } from "./repository.ts";
import { identityRow } from "./row.ts";
import type { IdentityRow, IdentityView, Proof } from "./schema.ts";
import { findWaiting, forgetWaiting } from "./waiting.ts";

/** The providers that an account is linked with. */
export const listIdentities = async ({ deps, userId }: AccountScope): Promise<IdentityView[]> =>
  (await listIdentityRows(deps.kv, userId)).map((row) => {
    const { provider, name, created, last_used } = row;
    return { id: idOf(row), provider, name, created, last_used };
  });

/** Links an account with what its owner has just proved. Throws 409 where it is somebody else's. */
export async function linkIdentity(
  { deps, actor, userId }: AccountScope<Pick<Deps, "kv" | "clock">>,
  proof: Proof,
): Promise<void> {
  const { kv } = deps;
  requireSession(actor);
  await transact(kv, async (op) => {
    const [user, before] = [await getUserEntry(kv, userId), await getIdentity(kv, proof)];
    // One whose account is gone is nobody's.
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
 * Unlinks an account; one's own takes a session and the password. Throws 409 where nothing would be
 * left to sign in with.
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
    // The row moves, so that of two that go at the same time the second sees that it is the last.
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
    // Should this process end here, the next request looks at what rules gave by it.
    op.set(rowKeys.ruleWords(userId), { since: 0, looked: 0 } satisfies RuleWordsRow);
    recordEvent(op, deps, actor, eventOf(userId, user.value.username, "unlinked", row.provider));
  });
}

/** Whether one can sign in by it as this server is set now. */
export const isOffered = (
  { config, directory, providers }: Pick<Deps, "config" | "directory" | "providers">,
  { kind, provider }: IdentityRow,
): boolean =>
  kind === "ldap" ? config.passwordSignIn && directory !== null : providers.find(provider) !== null;

/** Lets somebody in who waits. Throws 403 where their e-mail address is an account's by now. */
export async function acceptWaiting(scope: AdminScope, id: string): Promise<void> {
  const row = await findWaiting(scope, id);
  await createAccount(scope.deps, { ...row, claims: {} }, scope.actor);
  await forgetWaiting(scope.deps.kv, row);
}

const eventOf = (id: number, name: string, action: string, provider: string) =>
  ({ projectId: 0, object: "user", id, name, action, params: { provider } }) as const;
