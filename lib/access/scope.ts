import { AppError, forbidden, notFound } from "../base/errors.ts";
import { rowKeys } from "../kv/keys.ts";
import type { Actor, UserActor } from "./actor.ts";
import type { Deps } from "./deps.ts";
import {
  ALL_PERMISSIONS,
  grants,
  mayCreateProjects,
  type Permission,
  PERMISSIONS,
  permissionsOf,
  type Role,
} from "./permissions.ts";
import type { MemberRow, ProjectRow } from "./rows.ts";

/** Who does something, and what it takes. */
export interface Scope<A extends Actor = Actor, D = Deps> {
  readonly deps: D;
  readonly actor: A;
}

/** Somebody who is signed in. */
export type UserScope<D = Deps> = Scope<UserActor, D>;

/** Says in types what was granted; nothing of it is there at run time. */
declare const granted: unique symbol;
interface Granted<What extends string> {
  readonly [granted]: Record<What, true>;
}

/** What an actor is in one project. */
export interface Membership {
  readonly project: ProjectRow;
  /** Empty for an admin who is no member, and for schedules, integrations and autorun. */
  readonly role: Role | "";
  readonly permissions: number;
}

/**
 * Somebody in a project, who may see it and has the permissions `P`. Only `openProject` and what
 * narrows its answer make one, so a function that takes it cannot be called without the right.
 */
export interface ProjectScope<P extends Permission = never, D = Deps>
  extends Scope<Actor, D>, Membership, Granted<P> {
  readonly projectId: number;
}

/** A global admin. */
export interface AdminScope<D = Deps> extends Scope<UserActor, D>, Granted<"admin"> {}
/** Somebody who may create projects. */
export interface CreatorScope<D = Deps> extends Scope<UserActor, D>, Granted<"create_project"> {}
/** The account `userId`, by its owner or by a global admin. */
export interface AccountScope<D = Deps> extends Scope<UserActor, D>, Granted<"account"> {
  readonly userId: number;
}

type HasStore = Pick<Deps, "kv">;

/**
 * The project as it is for `actor` now. Throws 404 for outsiders and unknown projects alike, 403 for
 * members without `permission`.
 */
export async function openProject<P extends Permission = never, D extends HasStore = Deps>(
  { deps, actor }: Scope<Actor, D>,
  projectId: number,
  permission?: P,
): Promise<ProjectScope<P, D>> {
  const membership = await findMembership(deps.kv, actor, projectId);
  if (!membership) throw notFound();
  return withPermission(scopeOf(deps, actor, membership), permission);
}

/** The same project as it is for the same actor now: for what is done after a body was read. */
export const reopen = <P extends Permission = never>(scope: ProjectScope, permission?: P) =>
  openProject(scope, scope.projectId, permission);

/** `scope`, if it has a permission; throws 403 otherwise. */
export function withPermission<P extends Permission = never, D = Deps>(
  scope: ProjectScope<never, D>,
  permission?: P,
): ProjectScope<P, D> {
  if (permission && !grants(scope.permissions, permission)) throw forbidden();
  return scope as ProjectScope<P, D>;
}

/** The scope of a membership that was just read. */
export const scopeOf = <D>(deps: D, actor: Actor, membership: Membership) =>
  ({ deps, actor, projectId: membership.project.id, ...membership }) as ProjectScope<never, D>;

/** What `actor` is in the project; null for outsiders, unknown and vanishing projects. */
export async function findMembership(
  kv: Deno.Kv,
  actor: Actor,
  projectId: number,
): Promise<Membership | null> {
  const memberId = actor.kind === "user" ? actor.id : 0;
  const [project, member] = await kv.getMany<[ProjectRow, MemberRow]>([
    rowKeys.project(projectId),
    rowKeys.member(projectId, memberId),
  ]);
  return membershipOf(actor, project.value, member.value);
}

/** The same from the rows of the project and of the actor in it. */
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

/** Throws 403 unless the actor is a global admin. */
export function requireAdmin<D>(scope: Scope<Actor, D>): AdminScope<D> {
  const { actor } = scope;
  if (actor.kind !== "user" || !actor.admin) throw forbidden();
  return scope as AdminScope<D>;
}

/** Throws 403 unless the account is the actor's own, or the actor a global admin. */
export function openAccount<D>(
  { deps, actor }: Scope<Actor, D>,
  userId: number,
): AccountScope<D> {
  if (actor.kind !== "user" || (!actor.admin && actor.id !== userId)) throw forbidden();
  return { deps, actor, userId } as AccountScope<D>;
}

/** Throws 403 unless the actor may create projects. */
export function requireCreator<D extends Pick<Deps, "config">>(
  scope: Scope<Actor, D>,
): CreatorScope<D> {
  if (!mayCreateProjects(scope.deps.config, scope.actor)) {
    throw new AppError(403, "errors.may_not_create");
  }
  return scope as CreatorScope<D>;
}
