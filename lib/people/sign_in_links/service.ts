import type { AccountScope } from "../../access/scope.ts";
import { hashToken, newBearerToken } from "../../access/bearer_tokens.ts";
import { accessChanged } from "../../access/changed.ts";
import type { Deps, PublicDeps } from "../../access/deps.ts";
import { revokeSessions, type SignInOrigin } from "../../access/sessions.ts";
import { AppError } from "../../base/errors.ts";
import { networkOf } from "../../base/network.ts";
import { recordEvent } from "../../events/record.ts";
import { recordChange } from "../../events/record_change.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import { forgetTrustedBrowsers } from "../factors/repository.ts";
import { byThemselves } from "../identities/accounts.ts";
import { completeSignIn, type SignInResult } from "../sessions/complete.ts";
import { forgiveAccount, reserveAttempt } from "../throttling/limiter.ts";
import { findUser, getUserRow } from "../../model/accounts.ts";
import type { NewPasswordForm } from "../users/schema.ts";
import type { UserRow } from "../../model/account_row.ts";

/** Stored row of a link that signs in once. */
interface SignInLinkRow {
  user_id: number;
  expires: string;
  /**
   * Digest of the stored password that the link replaces. The link ends when that changes. Missing
   * in links that only sign in.
   */
  replaces?: string;
}

const SIGN_IN_MINUTES = 15;
const PASSWORD_MINUTES = 60;

interface MadeLink {
  /** The secret part of the link's address. */
  token: string;
  minutes: number;
}

/** A link, as its page shows it. */
interface LinkView {
  username: string;
  /** Whether the link also sets a new password. */
  setsPassword: boolean;
}

/**
 * Creates a link that signs in to an account once, within a short time. It is for people who cannot
 * sign in otherwise. One with `setsPassword` requires a new password, and lasts longer, because the
 * person may first have to get to a browser. Throws 400 for such a link to an external account.
 */
export async function makeSignInLink(
  { deps, actor, userId }: AccountScope<Pick<Deps, "kv" | "clock">>,
  { setsPassword = false } = {},
): Promise<MadeLink> {
  const user = await getUserRow(deps.kv, userId);
  if (setsPassword && user.external) throw new AppError(400, "errors.external_user");
  const { text: token, hash } = newBearerToken(userId);
  const minutes = setsPassword ? PASSWORD_MINUTES : SIGN_IN_MINUTES;
  const expireIn = minutes * 60_000;
  const row: SignInLinkRow = {
    user_id: userId,
    expires: new Date(deps.clock.now().getTime() + expireIn).toISOString(),
    ...setsPassword && { replaces: digestOf(user) },
  };
  const op = deps.kv.atomic().set(rowKeys.signInLink(hash), row, { expireIn });
  const { username: name } = user;
  const event = { projectId: 0, object: "user", id: userId, name, action: "link_made" } as const;
  recordEvent(op, deps, actor, event);
  await op.commit();
  return { token, minutes };
}

/**
 * Returns what a link does. Throws 404 for one that is used up, too old, or made up, and 429 for
 * too many of these from one network. A valid link always works.
 */
export async function readSignInLink(
  deps: PublicDeps,
  token: string,
  { address }: Pick<SignInOrigin, "address">,
): Promise<LinkView> {
  try {
    const { link, user } = await findLink(deps, token);
    return { username: user.value.username, setsPassword: asksForPassword(deps, link.value) };
  } catch (error) {
    await reserveAttempt(deps.kv, deps.clock.now(), { challengesOf: networkOf(address) });
    throw error;
  }
}

/** Signs in by a link, which is then used up. Throws 404 as `readSignInLink` does. */
export async function useSignInLink(
  deps: PublicDeps,
  token: string,
  origin: SignInOrigin,
): Promise<SignInResult> {
  const { link } = await findLink(deps, token);
  if (asksForPassword(deps, link.value)) throw linkOver();
  const { ok } = await deps.kv.atomic().check(link).delete(link.key).commit();
  if (!ok) throw linkOver();
  return await completeSignIn(deps, { userId: link.value.user_id, way: "link" }, origin);
}

/**
 * Sets the password of a link's account and signs in. The link is then used up, and all other
 * sessions have ended. Throws 404 as `readSignInLink` does.
 */
export async function setPasswordByLink(
  deps: PublicDeps,
  token: string,
  form: NewPasswordForm,
  origin: SignInOrigin,
): Promise<SignInResult> {
  const { kv } = deps;
  // Checked first, because hashing is expensive.
  await findLink(deps, token);
  const password = await deps.passwords.hash(form.password);
  const { id, username, email } = await transact(kv, async (op) => {
    const { link, user } = await findLink(deps, token);
    if (!asksForPassword(deps, link.value)) throw linkOver();
    const after = { ...user.value, password };
    op.check(link, user).delete(link.key).set(user.key, after);
    const { id, username: name } = after;
    const event = { projectId: 0, object: "user", id, name, action: "password_changed" } as const;
    const states = { before: user.value, after };
    await recordChange(op, deps, byThemselves(after, origin), event, states);
    return user.value;
  });
  await revokeSessions(kv, id);
  await forgetTrustedBrowsers(kv, id);
  await forgiveAccount(kv, [username, email]);
  await accessChanged(deps, { project_id: null, user_id: id });
  return await completeSignIn(deps, { userId: id, way: "link", password }, origin);
}

/** Returns a link and its account. Throws 404 as `readSignInLink` does. */
async function findLink({ kv, clock }: Pick<Deps, "kv" | "clock">, token: string) {
  const link = await kv.get<SignInLinkRow>(rowKeys.signInLink(hashToken(token)));
  if (!link.value || clock.now().getTime() >= Date.parse(link.value.expires)) throw linkOver();
  const user = await findUser(kv, link.value.user_id);
  const { replaces } = link.value;
  const isReplaced = user && replaces !== undefined && replaces !== digestOf(user.value);
  if (!user || isReplaced) throw linkOver();
  return { link, user };
}

/** Where passwords are disabled, a link only signs in. */
const asksForPassword = (
  { config }: Pick<Deps, "config">,
  { replaces }: SignInLinkRow,
): boolean => replaces !== undefined && config.passwordSignIn;

const digestOf = ({ password }: UserRow): string => hashToken(password ?? "");

const linkOver = () => new AppError(404, "errors.link_over");
