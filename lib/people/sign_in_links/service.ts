import { type AccountScope, requireAdmin } from "../../access/scope.ts";
import type { Actor } from "../../access/actor.ts";
import { hashToken, newBearerToken } from "../../access/bearer_tokens.ts";
import { accessChanged } from "../../access/changed.ts";
import type { Deps, PublicDeps } from "../../access/deps.ts";
import { revokeSessions, type SignInOrigin } from "../../access/sessions.ts";
import { AppError } from "../../base/errors.ts";
import { networkOf } from "../../base/network.ts";
import { recordEvent } from "../../events/record.ts";
import { recordChange } from "../../events/record_change.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { transact } from "../../store/transact.ts";
import { hasWayIn } from "../accounts/first_admin.ts";
import { refuseAdmins } from "../accounts/service.ts";
import { forgetTrustedBrowsers } from "../factors/repository.ts";
import { byThemselves } from "../identities/accounts.ts";
import { completeSignIn, type SignInResult } from "../sessions/complete.ts";
import { forgiveAccount, reserveAttempt } from "../throttling/limiter.ts";
import { findUser, getUserEntry, getUserRow } from "../../model/accounts.ts";
import type { NewPasswordForm } from "../users/schema.ts";
import type { UserRow } from "../../model/account_row.ts";
import type { OpenLink, OpenLinks } from "./schema.ts";

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
/** Long enough for someone who is on holiday when the account is created. */
const FIRST_MINUTES = 7 * 24 * 60;

interface MadeLink {
  /** The secret part of the link's address. */
  token: string;
  minutes: number;
  /** When the link ends. */
  expires: string;
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
  const op = deps.kv.atomic();
  const minutes = setsPassword ? PASSWORD_MINUTES : SIGN_IN_MINUTES;
  const link = addLink(op, deps, actor, user, { minutes, setsPassword });
  await op.commit();
  return link;
}

/**
 * Creates the link by which the owner of a new account sets the first password. Earlier links of
 * the account end. Throws 403 for people who are not administrators, and 400 for an account that
 * someone can sign in to, or where passwords are disabled.
 */
export async function makeFirstLink(scope: AccountScope): Promise<MadeLink> {
  const { deps, actor, userId } = scope;
  requireAdmin(scope);
  return await transact(deps.kv, async (op) => {
    const user = await getUserEntry(deps.kv, userId);
    refuseAdmins(actor, user.value);
    if (!await isNew(deps, user.value)) throw new AppError(400, "errors.no_first_link");
    await dropLinks(deps.kv, op, userId);
    op.check(user);
    return addFirstLink(op, deps, actor, user.value);
  });
}

/** Adds to `op` the link by which the owner of an account without a password sets the first one. */
export const addFirstLink = (
  op: Atomic,
  deps: Pick<Deps, "kv" | "clock">,
  actor: Actor,
  user: UserRow,
): MadeLink => addLink(op, deps, actor, user, { minutes: FIRST_MINUTES, setsPassword: true });

/** Returns the links of an account that nobody has used yet, and whether it can get another one. */
export async function readOpenLinks({ deps, userId }: AccountScope): Promise<OpenLinks> {
  const user = await getUserRow(deps.kv, userId);
  const now = deps.clock.now().toISOString();
  const open = await Array.fromAsync(listOpenLinks(deps.kv, userId), ({ value }) => value);
  return {
    can_make: await isNew(deps, user),
    links: open.filter(({ expires }) => expires > now)
      .toSorted((a, b) => a.expires.localeCompare(b.expires)),
  };
}

/** Ends all links of an account that nobody has used yet. */
export async function withdrawLinks({ deps, actor, userId }: AccountScope): Promise<void> {
  await transact(deps.kv, async (op) => {
    const user = await getUserEntry(deps.kv, userId);
    refuseAdmins(actor, user.value);
    if (await dropLinks(deps.kv, op, userId) === 0) return;
    recordEvent(op, deps, actor, { ...eventOf(user.value), action: "link_withdrawn" });
  });
}

/** Whether an account waits for its first password. */
const isNew = async ({ kv, config }: Deps, user: UserRow): Promise<boolean> =>
  config.passwordSignIn && !await hasWayIn(kv, user);

const listOpenLinks = (kv: Store, userId: number) =>
  kv.list<OpenLink>({ prefix: rowKeys.signInLinksByUser(userId) });

/** Adds the end of an account's links to `op`. Returns how many there are. */
async function dropLinks(kv: Store, op: Atomic, userId: number): Promise<number> {
  const links = await Array.fromAsync(listOpenLinks(kv, userId), ({ key }) => String(key.at(-1)));
  for (const hash of links) dropLink(op, userId, hash);
  return links.length;
}

const dropLink = (op: Atomic, userId: number, hash: string) =>
  op.delete(rowKeys.signInLink(hash)).delete(rowKeys.signInLinkByUser(userId, hash));

/** Adds a link, and its event, to `op`. */
function addLink(
  op: Atomic,
  deps: Pick<Deps, "kv" | "clock">,
  actor: Actor,
  user: UserRow,
  { minutes, setsPassword }: { minutes: number; setsPassword: boolean },
): MadeLink {
  const { text: token, hash } = newBearerToken(user.id);
  const expireIn = minutes * 60_000;
  const expires = new Date(deps.clock.now().getTime() + expireIn).toISOString();
  const row: SignInLinkRow = {
    user_id: user.id,
    expires,
    ...setsPassword && { replaces: digestOf(user) },
  };
  const open: OpenLink = { expires, sets_password: setsPassword };
  op.set(rowKeys.signInLink(hash), row, { expireIn })
    .set(rowKeys.signInLinkByUser(user.id, hash), open, { expireIn });
  recordEvent(op, deps, actor, { ...eventOf(user), action: "link_made" });
  return { token, minutes, expires };
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
  const op = deps.kv.atomic().check(link);
  dropLink(op, link.value.user_id, hashToken(token));
  if (!(await op.commit()).ok) throw linkOver();
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
    op.check(link, user).set(user.key, after);
    dropLink(op, after.id, hashToken(token));
    const event = { ...eventOf(after), action: "password_changed" };
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

const eventOf = ({ id, username }: UserRow) =>
  ({ projectId: 0, object: "user", id, name: username }) as const;

const digestOf = ({ password }: UserRow): string => hashToken(password ?? "");

const linkOver = () => new AppError(404, "errors.link_over");
