import type { ProjectScope } from "../../access/scope.ts";
import { accessChanged } from "../../access/changed.ts";
import { covers, grants } from "../../access/permissions.ts";
import { holdRole, readMask } from "../../access/roles.ts";
import type { Actor } from "../../access/actor.ts";
import type { Deps } from "../../access/deps.ts";
import { AppError, conflict, notFound } from "../../base/errors.ts";
import { type Expected, requireVersion, versioned } from "../../base/version.ts";
import { recordChange } from "../../events/record_change.ts";
import { transact } from "../../store/transact.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { getProjectEntry } from "../../model/projects.ts";
import { findUser, getUserRow, getUsers } from "../../model/accounts.ts";
import type { UserView } from "../users/schema.ts";
import type { UserRow } from "../../model/account_row.ts";
import { releaseOwner } from "./owners.ts";
import { getMember, listMemberRows, removeMember, setMember } from "../../access/members.ts";
import type { MemberRow } from "../../model/project_row.ts";
import type { MemberDetail, MemberForm, MemberView, NewMemberForm } from "./schema.ts";

/** Returns the project's members by name. */
export async function listMembers({ deps, projectId }: ProjectScope): Promise<MemberView[]> {
  const rows = await listMemberRows(deps.kv, projectId);
  const users = await getUsers(deps.kv, rows.map(({ user_id }) => user_id));
  return rows.flatMap((row) => {
    const user = users.get(row.user_id);
    return user ? [versioned({ ...namesOf(user), role: row.role }, row)] : [];
  }).toSorted((a, b) => a.name.localeCompare(b.name) || a.id - b.id);
}

/**
 * Returns one member, with the whole account only for people who manage users, and for the member.
 */
export async function getMemberDetail(
  { deps, actor, projectId, permissions }: ProjectScope,
  userId: number,
): Promise<MemberDetail> {
  const { value: member } = await getMember(deps.kv, projectId, userId);
  if (!member) throw notFound();
  const user = await getUserRow(deps.kv, userId);
  const isOwn = actor.kind === "user" && actor.id === userId;
  const shown = isOwn || grants(permissions, "manage_users") ? accountOf(user) : namesOf(user);
  return versioned({ ...shown, role: member.role }, member);
}

/** Makes a user a member of the project. Throws 409 if they already are one. */
export async function addMember(
  scope: ProjectScope<"add_people", Pick<Deps, "kv" | "clock" | "hub">>,
  { user_id, role }: NewMemberForm,
): Promise<void> {
  const { deps, actor, projectId } = scope;
  await transact(deps.kv, async (op) => {
    requireWithin(scope, await holdRole(deps.kv, op, projectId, role));
    op.check(await getProjectEntry(deps.kv, projectId));
    await addToTeam(op, deps, actor, { projectId, userId: user_id, role });
  });
  await accessChanged(deps, { project_id: projectId, user_id });
}

/**
 * Adds a user to a team in `op`, with the event of `actor`. The caller checks the project and the
 * right. Throws 404 for an unknown user, and 409 if they already are a member.
 */
export async function addToTeam(
  op: Atomic,
  deps: Pick<Deps, "kv" | "clock">,
  actor: Actor,
  { projectId, userId, role }: { projectId: number; userId: number; role: MemberRow["role"] },
): Promise<UserRow> {
  const user = await findUser(deps.kv, userId);
  if (!user) throw unknownUser();
  const member = await getMember(deps.kv, projectId, userId);
  if (member.value) throw conflict("errors.already_member");
  // Rewrites the user's row, so that a parallel deletion of the user notices this membership.
  op.check(user, member).set(user.key, user.value);
  await putMember(op, deps, actor, { projectId, user: user.value, role });
  return user.value;
}

/** Adds a new member to `op`, with the event of `actor`. */
export async function putMember(
  op: Atomic,
  deps: Pick<Deps, "kv" | "clock">,
  actor: Actor,
  { projectId, user, role }: { projectId: number; user: UserRow; role: MemberRow["role"] },
): Promise<void> {
  setMember(op, { project_id: projectId, user_id: user.id, role });
  const event = { ...eventOf(projectId, user.id, user.username, "added"), params: { role } };
  await recordChange(op, deps, actor, event, { before: null, after: { role } });
}

/**
 * Gives a member another role. Throws 400 for the last owner, and 412 if the stored member is not
 * `expected`.
 */
export async function changeRole(
  scope: ProjectScope<"add_people">,
  userId: number,
  { role }: MemberForm,
  expected?: Expected,
): Promise<void> {
  const { deps, actor, projectId } = scope;
  await transact(deps.kv, async (op) => {
    requireWithin(scope, await holdRole(deps.kv, op, projectId, role));
    const before = await validateMember(deps.kv, op, projectId, userId);
    requireVersion(before, expected);
    requireWithin(scope, await readMask(deps.kv, projectId, before.role));
    if (before.role === role) return;
    if (before.role === "owner") {
      await releaseOwner(deps.kv, op, projectId, userId, "takes another role");
    }
    setMember(op, { ...before, role });
    const { username } = await getUserRow(deps.kv, userId);
    const event = { ...eventOf(projectId, userId, username, "role_changed"), params: { role } };
    await recordChange(op, deps, actor, event, { before: { role: before.role }, after: { role } });
  });
  await accessChanged(deps, { project_id: projectId, user_id: userId });
}

/**
 * Removes a member from the project. Throws 400 for the last owner, and for owners who remove
 * themselves.
 */
export async function deleteMember(
  scope: ProjectScope<"add_people">,
  userId: number,
  expected?: Expected,
): Promise<void> {
  await removeFromTeam(scope, userId, expected);
}

/** Removes the actor from the project. Throws 400 for owners. */
export async function leaveProject(scope: ProjectScope): Promise<void> {
  if (scope.actor.kind !== "user") throw notFound();
  await removeFromTeam(scope, scope.actor.id);
}

async function removeFromTeam(scope: ProjectScope, userId: number, expected?: Expected) {
  const { deps, actor, projectId } = scope;
  const isOwn = actor.kind === "user" && actor.id === userId;
  await transact(deps.kv, async (op) => {
    const before = await validateMember(deps.kv, op, projectId, userId);
    requireVersion(before, expected);
    if (!isOwn) requireWithin(scope, await readMask(deps.kv, projectId, before.role));
    if (before.role === "owner") {
      await releaseOwner(deps.kv, op, projectId, userId, isOwn ? "leaves" : "is removed");
    }
    removeMember(op, projectId, userId);
    const { username } = await getUserRow(deps.kv, userId);
    const action = isOwn ? "left" : "removed";
    const event = eventOf(projectId, userId, username, action);
    await recordChange(op, deps, actor, event, { before: { role: before.role }, after: null });
  });
  await accessChanged(deps, { project_id: projectId, user_id: userId });
}

/** Whether people with these permissions in a project can give and take a role with this mask. */
export const mayGiveRole = ({ permissions }: Pick<ProjectScope, "permissions">, mask: number) =>
  grants(permissions, "add_people") && covers(permissions, mask);

/** Throws 403 for a role that may do more than the actor, who can neither give nor take it. */
export function requireWithin(scope: Pick<ProjectScope, "permissions">, mask: number): void {
  if (!mayGiveRole(scope, mask)) throw new AppError(403, "errors.beyond_rights");
}

const namesOf = ({ id, username, name }: Pick<UserView, "id" | "username" | "name">) => ({
  id,
  username,
  name,
});

/** Names each member, so that what else an account has stays its owner's. */
const accountOf = ({ created, email, admin, external, alert, ...user }: UserRow) => ({
  ...namesOf(user),
  created,
  email,
  admin,
  external,
  alert,
});

/** Returns the member's row, which must not change before `op` is committed. Throws not found. */
async function validateMember(
  kv: Store,
  op: Atomic,
  projectId: number,
  userId: number,
): Promise<MemberRow> {
  const entry = await getMember(kv, projectId, userId);
  if (!entry.value) throw notFound();
  op.check(entry);
  return entry.value;
}

export const unknownUser = () => {
  const fields = { user_id: { key: "errors.unknown_user" } };
  return new AppError(404, "errors.unknown_user", {}, { fields });
};

const eventOf = (projectId: number, id: number, name: string, action: string) =>
  ({ projectId, object: "member", id, name, action }) as const;
