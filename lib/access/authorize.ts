import { forbidden, notFound } from "../base/errors.ts";
import { keys } from "../kv/keys.ts";
import type { MemberRow, ProjectRow } from "./rows.ts";
import type { Actor, UserActor } from "./actor.ts";
import {
  ALL_PERMISSIONS,
  grants,
  type Permission,
  PERMISSIONS,
  permissionsOf,
} from "./permissions.ts";
import type { Role } from "./permissions.ts";

/** What an actor is in one project. */
export interface Membership {
  project: ProjectRow;
  /** Empty for an admin who is no member, and for schedules, integrations and autorun. */
  role: Role | "";
  permissions: number;
}

/**
 * The first line of every service function that touches a project.
 * Throws 404 for outsiders and unknown projects alike, 403 for members without `permission`.
 */
export async function authorize(
  kv: Deno.Kv,
  actor: Actor,
  projectId: number,
  permission?: Permission,
): Promise<Membership> {
  const membership = await findMembership(kv, actor, projectId);
  if (!membership) throw notFound();
  if (permission && !grants(membership.permissions, permission)) throw forbidden();
  return membership;
}

/** What `actor` is in the project; null for outsiders, unknown and vanishing projects. */
export async function findMembership(
  kv: Deno.Kv,
  actor: Actor,
  projectId: number,
): Promise<Membership | null> {
  const memberId = actor.kind === "user" ? actor.id : 0;
  const [project, member] = await kv.getMany<[ProjectRow, MemberRow]>([
    keys.project(projectId),
    keys.member(projectId, memberId),
  ]);
  return membershipOf(actor, project.value, member.value);
}

/** What `actor` is in a project, by its row and the actor's own in it. */
export function membershipOf(
  actor: Actor,
  project: ProjectRow | null,
  member: MemberRow | null,
): Membership | null {
  if (!project || project.deleting) return null;
  if (actor.kind !== "user") {
    if (actor.projectId !== project.id) return null;
    return { project, role: "", permissions: PERMISSIONS.run_tasks };
  }
  const role = member?.role ?? "";
  if (actor.admin) return { project, role, permissions: ALL_PERMISSIONS };
  return role === "" ? null : { project, role, permissions: permissionsOf(role) };
}

/** Throws 403 unless the account is the actor's own, or the actor a global admin. */
export function requireAdminOrSelf(actor: Actor, userId: number): asserts actor is UserActor {
  if (actor.kind !== "user" || (!actor.admin && actor.id !== userId)) throw forbidden();
}

/** Throws 403 unless `actor` is a global admin. */
export function requireAdmin(actor: Actor): asserts actor is UserActor {
  if (actor.kind !== "user" || !actor.admin) throw forbidden();
}
