import { type ProjectScope, readMembership } from "../../access/scope.ts";
import type { Deps } from "../../access/deps.ts";
import { getMember } from "../../access/members.ts";
import { holdRole, readMask, readMasks } from "../../access/roles.ts";
import { conflict, forbidden, invalidField, notFound } from "../../base/errors.ts";
import { type Expected, requireVersion, versioned } from "../../base/version.ts";
import { guardProject } from "../../store/guard_project.ts";
import { nextId } from "../../store/ids.ts";
import { rowKeys } from "../../store/keys.ts";
import { getAll } from "../../store/rows/get_all.ts";
import { transact } from "../../store/transact.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { findUser, getUsers } from "../../model/accounts.ts";
import type { MemberRow } from "../../model/project_row.ts";
import { mayGiveRole, requireWithin, unknownUser } from "../team/service.ts";
import { asActor } from "./gift.ts";
import { recordInvite } from "./events.ts";
import {
  closeInvite,
  dropOldest,
  getInvite,
  type InviteRow,
  isOpenInvite,
  listInviteRows,
  OPEN_MAX,
  setInvite,
} from "./repository.ts";
import {
  INVITE_DAYS,
  type InviteStatus,
  type InviteView,
  type NewInvite,
  USUAL_INVITE_DAYS,
} from "./schema.ts";
import { newInviteToken } from "./tokens.ts";

type ManagerScope = ProjectScope<"add_people">;

/** An invitation with the secret part of its link, which only this answer has. */
interface MadeInvite {
  invite: InviteView;
  token: string;
}

/** Returns the invitations of a project, oldest first. */
export async function listInvites({ deps, project }: ManagerScope): Promise<InviteView[]> {
  const rows = await listInviteRows(deps.kv, project.id);
  return await viewsOf(deps, project, rows);
}

/** Returns one invitation. Throws not found. */
export async function findInvite(
  { deps, project }: ManagerScope,
  id: number,
): Promise<InviteView> {
  const { value } = await getInvite(deps.kv, project.id, id);
  if (!value) throw notFound();
  return (await viewsOf(deps, project, [value]))[0];
}

/**
 * Invites someone to the project by a link. Throws 409 for a member, for someone who is invited
 * already, and if too many invitations are open. Throws 403 for a role that the actor cannot give.
 */
export async function createInvite(scope: ManagerScope, input: NewInvite): Promise<MadeInvite> {
  const { deps, actor, project } = scope;
  const { kv } = deps;
  const now = deps.clock.now();
  const lifetime_ms = lifetimeOf(now, input.expires_at);
  const id = await nextId(kv, "invites");
  const { text: token, hash } = newInviteToken(project.id, id);
  const made: Omit<InviteRow, "inviter_user_id"> = {
    id,
    project_id: project.id,
    email: input.email,
    user_id: input.user_id,
    role: input.role,
    status: "pending",
    created: now.toISOString(),
    expires_at: new Date(now.getTime() + lifetime_ms).toISOString(),
    lifetime_ms,
    accepted_at: null,
    token_hash: hash,
  };
  const row = await transact(kv, async (op) => {
    const row: InviteRow = { ...made, inviter_user_id: await inviterOf(scope, op, made.role) };
    await guardProject(kv, op, project.id);
    const guard = await kv.get(rowKeys.invitesGuard(project.id)); // before the list, never after
    op.check(guard).set(guard.key, id);
    await refuseMember(kv, row);
    const rows = await listInviteRows(kv, project.id);
    const open = rows.filter((one) => isOpenInvite(one, now));
    if (open.some((one) => isForSame(one, row))) throw conflict("errors.already_invited");
    if (open.length >= OPEN_MAX) throw conflict("errors.too_many_invites", { max: OPEN_MAX });
    dropOldest(op, now, rows);
    setInvite(op, now, row);
    await recordInvite(op, deps, actor, "invited", { before: null, after: row });
    return row;
  });
  return { invite: (await viewsOf(deps, project, [row]))[0], token };
}

/**
 * Replaces the link of an invitation that no one has answered, also of an expired one. It lasts as
 * long as the first one, and from now on comes from the actor. Throws 409 for one with an answer.
 */
export async function renewInvite(scope: ManagerScope, id: number): Promise<MadeInvite> {
  const { deps, actor, project } = scope;
  const { text: token, hash } = newInviteToken(project.id, id);
  const row = await transact(deps.kv, async (op) => {
    const { entry, row: before } = await openInvite(deps.kv, project.id, id);
    const inviter_user_id = await inviterOf(scope, op, before.role);
    const now = deps.clock.now();
    if (before.status !== "pending") throw conflict("errors.invite_answered");
    const expires_at = new Date(now.getTime() + before.lifetime_ms).toISOString();
    const after = { ...before, inviter_user_id, expires_at, token_hash: hash };
    await guardProject(deps.kv, op, project.id);
    op.check(entry);
    setInvite(op, now, after);
    await recordInvite(op, deps, actor, "renewed", { before, after });
    return after;
  });
  return { invite: (await viewsOf(deps, project, [row]))[0], token };
}

/**
 * Ends an invitation, which stays listed as declined or expired. Throws 400 for "accepted", which
 * only the invited person can say, and 409 for an invitation that someone has answered.
 */
export async function endInvite(
  scope: ManagerScope,
  id: number,
  status: InviteStatus,
  expected?: Expected,
): Promise<void> {
  const { deps, actor, project } = scope;
  await transact(deps.kv, async (op) => {
    const { entry, row: before } = await heldInvite(scope, id, expected);
    if (status === before.status) return;
    if (before.status !== "pending") throw conflict("errors.invite_answered");
    if (status === "accepted") throw invalidField("status", "errors.invite_by_oneself");
    const after = { ...before, status };
    await guardProject(deps.kv, op, project.id);
    op.check(entry);
    closeInvite(op, deps.clock.now(), before, { status });
    await recordInvite(op, deps, actor, "withdrawn", { before, after });
  });
}

/**
 * Withdraws an invitation, or removes a declined or expired one from the list. Throws 409 for an
 * accepted one, which made someone a member.
 */
export async function withdrawInvite(
  scope: ManagerScope,
  id: number,
  expected?: Expected,
): Promise<void> {
  const { deps, actor } = scope;
  await transact(deps.kv, async (op) => {
    const { entry, row: before } = await heldInvite(scope, id, expected);
    if (before.status === "accepted") throw conflict("errors.invite_accepted");
    op.check(entry).delete(entry.key);
    if (before.status !== "pending") return;
    await recordInvite(op, deps, actor, "withdrawn", { before, after: null });
  });
}

/** Returns an invitation that the actor may end. Throws 403 for a role beyond their rights. */
async function heldInvite(scope: ManagerScope, id: number, expected?: Expected) {
  const { deps: { kv }, project } = scope;
  const found = await openInvite(kv, project.id, id);
  requireVersion(found.row, expected);
  requireWithin(scope, await readMask(kv, project.id, found.row.role));
  return found;
}

/** Returns the id of the actor as an inviter. Throws 403 for a role that is not theirs to give. */
async function inviterOf(
  scope: ManagerScope,
  op: Atomic,
  role: InviteRow["role"],
): Promise<number> {
  if (scope.actor.kind !== "user") throw forbidden();
  requireWithin(scope, await holdRole(scope.deps.kv, op, scope.projectId, role));
  return scope.actor.id;
}

const DAY_MS = 86_400_000;
const DAYS_MAX = Math.max(...INVITE_DAYS.map(Number));

/** Returns how long a link lasts. Throws 400 for a time that is past, or too late. */
function lifetimeOf(now: Date, expires: string | null): number {
  if (expires === null) return USUAL_INVITE_DAYS * DAY_MS;
  const leftMs = Date.parse(expires) - now.getTime();
  if (leftMs <= 0) throw invalidField("expires_at", "errors.time_passed");
  if (leftMs > DAYS_MAX * DAY_MS) {
    throw invalidField("expires_at", "errors.invite_too_long", { max: DAYS_MAX });
  }
  return leftMs;
}

/** Throws 409 if the invited person is a member, and 404 for an account that does not exist. */
async function refuseMember(kv: Store, { project_id, email, user_id }: InviteRow): Promise<void> {
  if (user_id !== null && !await findUser(kv, user_id)) throw unknownUser();
  const id = user_id ?? (await kv.get<number>(rowKeys.userByEmail(email ?? ""))).value;
  if (id === null) return;
  const member = await getMember(kv, project_id, id);
  if (member.value) throw conflict("errors.already_member");
}

const isForSame = (a: InviteRow, b: InviteRow): boolean =>
  a.user_id === b.user_id && a.email?.toLowerCase() === b.email?.toLowerCase();

async function openInvite(kv: Store, projectId: number, id: number) {
  const entry = await getInvite(kv, projectId, id);
  if (!entry.value) throw notFound();
  return { entry, row: entry.value };
}

/** Returns invitations with the names of people, and whether inviters may still give the role. */
async function viewsOf(
  { kv, clock }: Pick<Deps, "kv" | "clock">,
  project: ManagerScope["project"],
  rows: readonly InviteRow[],
): Promise<InviteView[]> {
  const now = clock.now();
  const inviters = [...new Set(rows.map(({ inviter_user_id }) => inviter_user_id))];
  const invited = rows.flatMap(({ user_id }) => user_id ?? []);
  const [users, members] = await Promise.all([
    getUsers(kv, [...new Set([...inviters, ...invited])].toSorted((a, b) => a - b)),
    getAll<MemberRow>(kv, inviters.map((id) => rowKeys.member(project.id, id))),
  ]);
  const memberships = new Map(
    await Promise.all(inviters.map(async (id, n) => {
      const user = users.get(id);
      const member = members[n].value;
      return [id, user ? await readMembership(kv, asActor(user), project, member) : null] as const;
    })),
  );
  const maskOfSlug = await readMasks(kv, project.id, rows.map(({ role }) => role));
  return rows.map((row) => {
    const { lifetime_ms: _, token_hash: __, status, ...shown } = row;
    const membership = memberships.get(row.inviter_user_id);
    const view = {
      ...shown,
      user_name: users.get(row.user_id ?? 0)?.name ?? null,
      status: status === "pending" && !isOpenInvite(row, now) ? "expired" as const : status,
      inviter_name: users.get(row.inviter_user_id)?.name ?? null,
      inviter_may: membership ? mayGiveRole(membership, maskOfSlug(row.role)) : false,
    };
    return versioned(view, row);
  });
}
