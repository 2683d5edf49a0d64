import type { AccountScope } from "../../access/scope.ts";
import { revokeApiTokens } from "../../access/api_tokens.ts";
import { accessChanged } from "../../access/changed.ts";
import { revokeSessions } from "../../access/sessions.ts";
import type { Actor } from "../../access/actor.ts";
import type { Deps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import { type Expected, requireVersion } from "../../base/version.ts";
import { recordEvent } from "../../events/record.ts";
import { recordChange } from "../../events/record_change.ts";
import { deletePrefix } from "../../store/delete_prefix.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { getProjectRows, listProjectRows } from "../../model/projects.ts";
import { forgetTrustedBrowsers } from "../factors/repository.ts";
import { forgetGrants } from "../group_rules/repository.ts";
import { forgetIdentities } from "../identities/repository.ts";
import { forgetPasskeys } from "../passkeys/repository.ts";
import { forgetNetworks } from "../throttling/known_devices.ts";
import { releaseOwner } from "../team/owners.ts";
import { getMember, listMemberRows, listProjectIds, removeMember } from "../../access/members.ts";
import { refuseAdmins } from "./service.ts";
import { removeUser, requireOtherAdmin } from "../users/repository.ts";
import { getUserEntry } from "../../model/accounts.ts";

/**
 * How many memberships end in one commit. Each of an owner takes two checks, and a commit takes
 * ten.
 */
const COMMIT_MEMBERSHIPS_MAX = 4;

/**
 * Deletes an account with its memberships, sessions and tokens. Its actions stay in the history.
 * Throws 409 for the last admin, and for the last owner of a project, and 412 if the stored row is
 * not `expected`.
 */
export async function deleteUser(
  { deps, actor, userId: id }: AccountScope,
  expected?: Expected,
): Promise<void> {
  const { value: user } = await getUserEntry(deps.kv, id);
  refuseAdmins(actor, user);
  requireVersion(user, expected);
  // Checked before anything is deleted. The last commit checks again.
  if (user.admin) await requireOtherAdmin(deps.kv, id);
  await refuseLastOwner(deps.kv, id);
  while (!await leaveProjects(deps, actor, id, expected));
  await revokeSessions(deps.kv, id);
  await forgetNetworks(deps.kv, id);
  await forgetTrustedBrowsers(deps.kv, id);
  await forgetPasskeys(deps.kv, id);
  await deletePrefix(deps.kv, rowKeys.ownKeys(id));
  await deletePrefix(deps.kv, rowKeys.keyedCalls(id));
  await forgetFavourites(deps.kv, id);
  await revokeApiTokens(deps.kv, id);
  await forgetIdentities(deps.kv, id);
  await forgetGrants(deps.kv, id);
  await accessChanged(deps, { project_id: null, user_id: id });
}

/** Deletes the account's favourites in all projects, because an admin may have some in any. */
async function forgetFavourites(kv: Store, userId: number) {
  for (const { id } of await listProjectRows(kv)) await kv.delete(rowKeys.favourites(id, userId));
}

/**
 * Leaves some projects, and deletes the account with the last of them. Returns true when it is
 * gone.
 */
function leaveProjects(
  deps: Deps,
  actor: Actor,
  id: number,
  expected: Expected,
): Promise<boolean> {
  const { kv } = deps;
  return transact(kv, async (op) => {
    // Adding a member rewrites the user's row. A membership that is missing in this list can
    // therefore not exist when the commit succeeds.
    const user = await getUserEntry(kv, id);
    requireVersion(user.value, expected);
    const projectIds = await listProjectIds(kv, id);
    const name = user.value.username;
    for (const projectId of projectIds.slice(0, COMMIT_MEMBERSHIPS_MAX)) {
      if (!await leaveProject(kv, op, projectId, id)) continue;
      recordEvent(op, deps, actor, { projectId, object: "member", id, name, action: "removed" });
    }
    const isDone = projectIds.length <= COMMIT_MEMBERSHIPS_MAX;
    if (!isDone) {
      op.check(user);
      return false;
    }
    await removeUser(kv, op, user);
    op.delete(rowKeys.secondFactor(id)).delete(rowKeys.userOptions(id));
    const event = { projectId: 0, object: "user", id, name, action: "deleted" } as const;
    await recordChange(op, deps, actor, event, { before: user.value, after: null });
    return true;
  });
}

/** Adds the end of a membership to `op`. Returns false if the project's deletion was faster. */
async function leaveProject(
  kv: Store,
  op: Atomic,
  projectId: number,
  userId: number,
): Promise<boolean> {
  const member = await getMember(kv, projectId, userId);
  const [project] = await getProjectRows(kv, [projectId]);
  op.check(member);
  removeMember(op, projectId, userId);
  if (!member.value) return false;
  const isLeft = !project || project.deleting;
  if (member.value.role === "owner" && !isLeft) {
    await releaseOwner(kv, op, projectId, userId, "is removed");
  }
  return true;
}

/** Throws 409 with the projects that would have no owner, before anything is changed. */
async function refuseLastOwner(kv: Store, userId: number) {
  const owned: number[] = [];
  for (const projectId of await listProjectIds(kv, userId)) {
    const owners = (await listMemberRows(kv, projectId)).filter(({ role }) => role === "owner");
    if (owners.length === 1 && owners[0].user_id === userId) owned.push(projectId);
  }
  const rows = (await getProjectRows(kv, owned)).filter(({ deleting }) => !deleting);
  if (rows.length === 0) return;
  const projects = rows.map(({ id, name }) => ({ id, name }));
  const names = projects.map(({ name }) => name).join(", ");
  throw new AppError(409, "errors.last_owner_of", { projects: names }, { body: { projects } });
}
