/*
 * How an invitation becomes a membership. A link alone is worth nothing to someone else: it needs
 * the account that it is for, or an address that no account has. The commit checks the rows of the
 * invitation, its project, its inviter and the invited account, so that a parallel withdrawal,
 * demotion or deletion comes either before or after it. No link sets a password of an account that
 * exists, so none takes one over.
 */

import type { Actor, UserActor } from "../../access/actor.ts";
import { accessChanged } from "../../access/changed.ts";
import type { Deps, PublicDeps } from "../../access/deps.ts";
import { getMember } from "../../access/members.ts";
import type { UserScope } from "../../access/scope.ts";
import { signInClient, type SignInOrigin } from "../../access/sessions.ts";
import { AppError } from "../../base/errors.ts";
import { networkOf } from "../../base/network.ts";
import { recordChange } from "../../events/record_change.ts";
import { getUserEntry } from "../../model/accounts.ts";
import type { UserRow } from "../../model/account_row.ts";
import { nextId } from "../../store/ids.ts";
import { transact } from "../../store/transact.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { takeBackDue } from "../group_rules/take_back.ts";
import { byThemselves, freeUsername } from "../identities/accounts.ts";
import { addFirstLink } from "../sign_in_links/service.ts";
import { addToTeam, putMember } from "../team/service.ts";
import { reserveAttempt } from "../throttling/limiter.ts";
import { findUserByLogin, insertUser } from "../users/repository.ts";
import { visibleUsername } from "../users/usernames.ts";
import { recordInvite } from "./events.ts";
import { type Gift, linkOver, requireGift } from "./gift.ts";
import { closeInvite, type InviteRow, isOpenInvite } from "./repository.ts";
import type { JoinForm } from "./schema.ts";
import { findByToken } from "./tokens.ts";

type Origin = Pick<SignInOrigin, "address">;

/** Next step of the holder of a link: see `stepOf`. */
type InviteStep = "accept" | "member" | "other_account" | "set_up" | "sign_in";

/** An invitation, as its page shows it. */
export interface InviteToAnswer {
  project: { id: number; name: string };
  role: string;
  inviter: { id: number; name: string };
  /** The address that it is for; null for an account. */
  email: string | null;
  expires: string;
  step: InviteStep;
}

/**
 * Returns the invitation of a link. Throws 404 for a link that is used up, too old, withdrawn or
 * made up, 429 for too many of these from one network, and 403 if the inviter may no longer give
 * its role.
 */
export async function readInvite(
  deps: PublicDeps,
  token: string,
  actor: UserActor | null,
  origin: Origin,
): Promise<InviteToAnswer> {
  const { kv } = deps;
  const { value: invite } = await findLink(deps, token, origin);
  const { project, inviter } = await requireGift(kv, kv.atomic(), invite);
  return {
    project: { id: project.id, name: project.name },
    role: invite.role,
    inviter: { id: inviter.id, name: inviter.name },
    email: invite.email,
    expires: invite.expires_at,
    step: await stepOf(deps, invite, inviter, actor),
  };
}

/**
 * Makes the actor a member by the link of an invitation, which is then used up. Throws as
 * `readInvite` does, 403 if the invitation is for someone else, and 409 for a member.
 */
export async function acceptInvite(
  { deps, actor }: UserScope,
  token: string,
  origin: Origin,
): Promise<{ project_id: number }> {
  const { kv, clock } = deps;
  await findLink(deps, token, origin);
  const projectId = await transact(kv, async (op) => {
    const entry = await findLink(deps, token, origin);
    const before = entry.value;
    const user = await getUserEntry(kv, actor.id);
    requireSamePerson(before, user.value);
    const { project } = await requireGift(kv, op, before);
    const { role } = before;
    await addToTeam(op, deps, actor, { projectId: project.id, userId: actor.id, role });
    await endAccepted(op, { kv, clock }, actor, entry, actor.id);
    return project.id;
  });
  await accessChanged(deps, { project_id: projectId, user_id: actor.id });
  return { project_id: projectId };
}

/**
 * Creates the account of an invited person who has none, adds it to the project, and returns the
 * secret part of the link that sets its password. Only an administrator's invitation does so,
 * because no one else creates accounts. Throws as `readInvite` does, 400 if it is not for such a
 * person, and 409 if an account has the address by now.
 */
export async function joinAsNewPerson(
  deps: PublicDeps,
  token: string,
  { name }: JoinForm,
  origin: SignInOrigin,
): Promise<string> {
  const { kv, clock } = deps;
  await findLink(deps, token, origin);
  const id = await nextId(kv, "users");
  const { link, projectId } = await transact(kv, async (op) => {
    const entry = await findLink(deps, token, origin);
    const { email, role } = entry.value;
    const { inviter, project } = await requireGift(kv, op, entry.value);
    if (email === null || !bringsPeople(deps, inviter)) {
      throw new AppError(400, "errors.invite_needs_account");
    }
    const user = await newAccount(deps, { id, name, email });
    await insertUser(kv, op, user);
    const self = byThemselves(user, origin);
    const event = { projectId: 0, object: "user", id, name: user.username } as const;
    const states = { before: null, after: user };
    await recordChange(op, deps, self, { ...event, action: "created" }, states);
    await putMember(op, deps, self, { projectId: project.id, user, role });
    await endAccepted(op, { kv, clock }, self, entry, id);
    return { link: addFirstLink(op, deps, self, user), projectId: project.id };
  });
  await accessChanged(deps, { project_id: projectId, user_id: id });
  return link.token;
}

/**
 * Declines an invitation, whose link is then used up. People without an account can do so, too.
 * Throws 404 and 429 as `readInvite` does, and 403 for someone who is signed in to another account.
 */
export async function declineInvite(
  deps: PublicDeps,
  token: string,
  actor: UserActor | null,
  origin: SignInOrigin,
): Promise<void> {
  const { kv, clock } = deps;
  await transact(kv, async (op) => {
    const entry = await findLink(deps, token, origin);
    const before = entry.value;
    if (actor) requireSamePerson(before, (await getUserEntry(kv, actor.id)).value);
    op.check(entry);
    closeInvite(op, clock.now(), before, { status: "declined" });
    const after = { ...before, status: "declined" as const };
    await recordInvite(op, deps, actor ?? stranger(before, origin), "declined", { before, after });
  });
}

/**
 * Returns the open invitation of a token, after expired rights of its inviter were revoked. Throws
 * 404, and 429 after too many tokens that are not valid from one network. A valid one always works.
 */
async function findLink(deps: PublicDeps, token: string, { address }: Origin) {
  const { kv, clock } = deps;
  const entry = await findByToken(kv, token);
  if (!entry || !isOpenInvite(entry.value, clock.now())) {
    await reserveAttempt(kv, clock.now(), { challengesOf: networkOf(address) });
    throw linkOver();
  }
  await takeBackDue(deps, entry.value.inviter_user_id);
  return entry;
}

/**
 * Returns what the holder of a link can do. Only links of administrators, who see all accounts,
 * tell whether an account has the address.
 */
async function stepOf(
  deps: PublicDeps,
  invite: InviteRow,
  inviter: UserRow,
  actor: UserActor | null,
): Promise<InviteStep> {
  if (actor) {
    const { value: user } = await getUserEntry(deps.kv, actor.id);
    if (!isSamePerson(invite, user)) return "other_account";
    const member = await getMember(deps.kv, invite.project_id, user.id);
    return member.value ? "member" : "accept";
  }
  const { email } = invite;
  const isNew = email !== null && bringsPeople(deps, inviter) && await isFree(deps.kv, email);
  return isNew ? "set_up" : "sign_in";
}

const isFree = async (kv: Store, email: string) => await findUserByLogin(kv, email) === null;

/** Whether an invitation gives an account to someone who has none: see `mayAddPeople`. */
const bringsPeople = ({ config }: Pick<Deps, "config">, { admin }: Gift["inviter"]): boolean =>
  admin && config.passwordSignIn;

/** Whether an invitation is for this account: by its id, or by the address that it has now. */
const isSamePerson = (invite: InviteRow, { id, email }: UserRow): boolean =>
  invite.email === null
    ? invite.user_id === id
    : invite.email.toLowerCase() === email.toLowerCase();

function requireSamePerson(invite: InviteRow, user: UserRow): void {
  if (!isSamePerson(invite, user)) throw new AppError(403, "errors.invite_not_yours");
}

/** Adds to `op` that `userId` has accepted an invitation. */
async function endAccepted(
  op: Atomic,
  deps: Pick<Deps, "kv" | "clock">,
  actor: Actor,
  entry: Deno.KvEntry<InviteRow>,
  userId: number,
): Promise<void> {
  const now = deps.clock.now();
  const end = { status: "accepted", accepted_at: now.toISOString(), user_id: userId } as const;
  op.check(entry);
  closeInvite(op, now, entry.value, end);
  const states = { before: entry.value, after: { ...entry.value, ...end } };
  await recordInvite(op, deps, actor, "accepted", states);
}

/** Returns the row of a new account. Its username is the part of the address before the "@". */
async function newAccount(
  { kv, clock }: Pick<Deps, "kv" | "clock">,
  { id, name, email }: Pick<UserRow, "id" | "name" | "email">,
): Promise<UserRow> {
  const wanted = visibleUsername(email.split("@")[0]) || "user";
  return {
    ...{ id, name, email },
    username: await freeUsername(kv, wanted),
    created: clock.now().toISOString(),
    ...{ admin: false, external: false, alert: false, notify_own: [] },
    password: null,
  };
}

/** Someone with the link who is not signed in. */
const stranger = ({ project_id }: InviteRow, origin: SignInOrigin) =>
  ({ kind: "server", id: 0, projectId: project_id, client: signInClient(origin) }) as const;
