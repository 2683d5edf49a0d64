import type { Store } from "../../store/store.ts";
import { getMember, removeMember, setMember } from "../../access/members.ts";
import { findRole, holdRole } from "../../access/roles.ts";
import { isFixedRole } from "../../model/roles.ts";
import { getProjectEntry } from "../../model/projects.ts";
import { AppError } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { recordChange } from "../../events/record_change.ts";
import { transact } from "../../store/transact.ts";
import { byThemselves } from "../identities/accounts.ts";
import { releaseOwner } from "../team/owners.ts";
import { replaceUser } from "../users/repository.ts";
import { findUser, getUserEntry } from "../../model/accounts.ts";
import type { RuleDeps } from "./in_force.ts";
import { getGrants, otherGrants, setGrants } from "./repository.ts";
import type { Grantee, GrantsRow } from "./schema.ts";

const NOTHING: GrantsRow = { admin: false, said: 0, roles: {} };

type Given = GrantsRow["roles"][string];

/**
 * Grants a role in a project. With null it revokes what rules had granted, and restores the role
 * that the member had by hand before. A role that was changed by hand since then stays, as does
 * that of a last owner. Returns whether anything changed.
 */
export async function grantRole(
  deps: RuleDeps,
  grantee: Grantee,
  projectId: number,
  role: string | null,
): Promise<boolean> {
  try {
    return await changeRole(deps, grantee, projectId, role);
  } catch (error) {
    // The project has no other owner, or was deleted in the meantime. The sign-in must not fail for
    // that.
    if (!(error instanceof AppError)) throw error;
    const { userId: user } = grantee;
    if (role === null && error.key === "errors.not_found") {
      await forgetRole(deps, grantee, projectId);
      return false;
    }
    deps.log("warn", "rule_not_followed", { user, project: projectId, why: error.key });
    if (error.key === "errors.last_owner") {
      await recordKept(deps, grantee, "last_owner_kept", projectId);
    }
    return false;
  }
}

function changeRole(
  deps: RuleDeps,
  { userId, provider }: Grantee,
  projectId: number,
  role: string | null,
): Promise<boolean> {
  const { kv } = deps;
  return transact(kv, async (op) => {
    const project = await getProjectEntry(kv, projectId);
    const user = await getUserEntry(kv, userId);
    const member = await getMember(kv, projectId, userId);
    const grants = await getGrants(kv, userId, provider);
    const now = member.value?.role ?? null;
    const others = (await otherGrants(kv, userId, provider))
      .map(({ roles }) => roles[projectId]).filter((other) => other?.role === now);
    const before = grants.value ?? NOTHING;
    const { [projectId]: given, ...kept } = before.roles;
    const after = role ??
      await stillGiven(kv, projectId, roleWithout(now, given, others.length > 0));
    // A role that someone has by hand and a rule grants too is not the rule's to revoke.
    const isByRule = role !== null && (given !== undefined || role !== now || others.length > 0);
    const noticed = given ?? others[0];
    const note = isByRule && { role, before: noticed ? noticed.before : now };
    const noted = { ...before, roles: note ? { ...kept, [projectId]: note } : kept };
    setGrants(op, grants, noted);
    if (after === now) return false;
    if (after) await holdRole(kv, op, projectId, after);
    if (now === "owner") await releaseOwner(kv, op, projectId, userId, "takes another role");
    // Rewrites the user's row, so that a parallel deletion of the user notices this membership.
    op.check(project, user, member).set(user.key, user.value);
    if (after) setMember(op, { project_id: projectId, user_id: userId, role: after });
    else removeMember(op, projectId, userId);
    const { username: name } = user.value;
    const action = after ? "role_by_rule" : "removed_by_rule";
    const event = { projectId, object: "member", id: userId, name, action } as const;
    const params = { provider, ...after && { role: after } };
    const states = { before: now ? { role: now } : null, after: after ? { role: after } : null };
    await recordChange(op, deps, byThemselves(user.value), { ...event, params }, states);
    return true;
  });
}

/** Forgets what rules granted in a project that is gone. */
const forgetRole = ({ kv }: RuleDeps, { userId, provider }: Grantee, projectId: number) =>
  transact(kv, async (op) => {
    const grants = await getGrants(kv, userId, provider);
    if (!grants.value) return;
    const { [projectId]: _, ...roles } = grants.value.roles;
    setGrants(op, grants, { ...grants.value, roles });
  });

/** Returns a role that someone had before; null if it was deleted. */
const stillGiven = async (kv: Store, projectId: number, slug: string | null) =>
  slug === null || isFixedRole(slug) || await findRole(kv, projectId, slug) ? slug : null;

/** Returns the role of a member without a matching rule. Rules revoke only what they granted. */
function roleWithout(now: string | null, given: Given | undefined, isGivenByOther: boolean) {
  const isChangedByHand = given?.role !== now;
  return !given || isChangedByHand || isGivenByOther ? now : given.before;
}

/**
 * Grants the admin switch, or revokes it if rules had granted it. Admins who were made by hand stay
 * admins, and so does the last one. Returns whether anything changed.
 */
export async function grantAdmin(
  deps: RuleDeps,
  { userId, provider }: Grantee,
  admin: boolean,
): Promise<boolean> {
  const { kv } = deps;
  const change = () =>
    transact(kv, async (op) => {
      const [user, grants] = [
        await getUserEntry(kv, userId),
        await getGrants(kv, userId, provider),
      ];
      const before = grants.value ?? NOTHING;
      const others = await otherGrants(kv, userId, provider);
      const given = before.admin || others.some((other) => other.admin);
      const after = admin || (user.value.admin && (!before.admin || others.some((o) => o.admin)));
      const isByRule = admin && (given || !user.value.admin);
      if (isByRule !== before.admin) setGrants(op, grants, { ...before, admin: isByRule });
      if (after === user.value.admin) return false;
      await replaceUser(kv, op, user, { ...user.value, admin: after });
      const { username: name } = user.value;
      const action = after ? "admin_by_rule" : "no_admin_by_rule";
      const event = { projectId: 0, object: "user", id: userId, name, action } as const;
      const states = { before: { admin: user.value.admin }, after: { admin: after } };
      const by = byThemselves(user.value);
      await recordChange(op, deps, by, { ...event, params: { provider } }, states);
      return true;
    });
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof AppError && error.key === "errors.last_admin")) throw error;
    deps.log("warn", "rule_not_followed", { user: userId, why: error.key });
    await recordKept(deps, { userId, provider }, "last_admin_kept");
    return false;
  }
}

/**
 * Records for admins, and for the project's members, that someone keeps a right that no rule grants
 * any more.
 */
async function recordKept(
  { kv, clock }: Pick<RuleDeps, "kv" | "clock">,
  { userId, provider }: Grantee,
  action: "last_admin_kept" | "last_owner_kept",
  projectId = 0,
): Promise<void> {
  const user = await findUser(kv, userId);
  if (!user) return;
  const op = kv.atomic();
  recordEvent(op, { kv, clock }, byThemselves(user.value), {
    projectId,
    object: projectId === 0 ? "user" : "member",
    id: userId,
    name: user.value.username,
    action,
    params: { provider },
  });
  await op.commit();
}
