import type { AccountScope } from "../../access/scope.ts";
import { revokeApiTokens } from "../../access/api_tokens.ts";
import { accessChanged } from "../../access/changed.ts";
import { revokeSessions } from "../../access/sessions.ts";
import type { Actor } from "../../access/actor.ts";
import type { Deps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import { type Expected, requireVersion } from "../../base/version.ts";
import { recordEvent } from "../../events/record.ts";
import { rowKeys } from "../../kv/keys.ts";
import { transact } from "../../kv/transact.ts";
import { getProjectRows, listProjectRows } from "../../access/projects.ts";
import { forgetTrustedBrowsers } from "../factors/repository.ts";
import { forgetGrants } from "../group_rules/repository.ts";
import { forgetIdentities } from "../identities/repository.ts";
import { forgetPasskeys } from "../passkeys/repository.ts";
import { forgetNetworks } from "../sessions/known_devices.ts";
import { releaseOwner } from "../team/owners.ts";
import { getMember, listMemberRows, listProjectIds, removeMember } from "../../access/members.ts";
import { refuseAdmins } from "./change_rules.ts";
import { getUserEntry, removeUser, requireOtherAdmin } from "./repository.ts";

/** Memberships left in one commit: each of an owner takes two checks, and a commit takes 10. */
const COMMIT_MEMBERSHIPS_MAX = 4;

/**
 * Deletes an account with its memberships, sessions and tokens; what it did stays in the history.
 * Throws 409 for the last admin, and for the last owner of a project; and 412 when what is stored is
 * not `expected`.
 */
export async function deleteUser(
  { deps, actor, userId: id }: AccountScope,
  expected?: Expected,
): Promise<void> {
  const { value: user } = await getUserEntry(deps.kv, id);
  refuseAdmins(actor, user);
  requireVersion(user, expected);
  // Before anything goes; the last commit looks again.
  if (user.admin) await requireOtherAdmin(deps.kv, id);
  await refuseLastOwner(deps.kv, id);
  while (!await leaveProjects(deps, actor, id, expected));
  await revokeSessions(deps.kv, id);
  await forgetNetworks(deps.kv, id);
  await forgetTrustedBrowsers(deps.kv, id);
  await forgetPasskeys(deps.kv, id);
  await forgetFavourites(deps.kv, id);
  await revokeApiTokens(deps.kv, id);
  await forgetIdentities(deps.kv, id);
  await forgetGrants(deps.kv, id);
  await accessChanged(deps, { project_id: null, user_id: id });
}

/** Deletes what the account liked in projects: an admin's may be in any. */
async function forgetFavourites(kv: Deno.Kv, userId: number) {
  for (const { id } of await listProjectRows(kv)) await kv.delete(rowKeys.favourites(id, userId));
}

/** Leaves some projects, and with the last of them deletes the account: true when it is gone. */
function leaveProjects(
  deps: Deps,
  actor: Actor,
  id: number,
  expected: Expected,
): Promise<boolean> {
  const { kv } = deps;
  return transact(kv, async (op) => {
    // Who adds a member moves the user's row, so a membership that is missing in this list cannot
    // be there when the commit succeeds.
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
    op.delete(rowKeys.secondFactor(id));
    recordEvent(op, deps, actor, { projectId: 0, object: "user", id, name, action: "deleted" });
    return true;
  });
}

/** Adds to `op` that the user leaves; false when the project's deletion was faster. */
async function leaveProject(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
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

/** Says which projects would be without an owner, before anything is changed. */
async function refuseLastOwner(kv: Deno.Kv, userId: number) {
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
