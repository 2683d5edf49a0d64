import { AppError, forbidden, notFound } from "../base/errors.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { type Actor, isProjectToken, type UserActor } from "./actor.ts";
import type { Deps } from "./deps.ts";
import {
  ALL_PERMISSIONS,
  grants,
  mayCreateProjects,
  type Permission,
  RUN_PERMISSIONS,
} from "./permissions.ts";
import { findRole, maskOfRole, type RoleRow } from "./roles.ts";
import { projectTokenKeys, type ProjectTokenRows, suspendedBy } from "./tokens/project_tokens.ts";
import type { MemberRow, ProjectRow } from "../model/project_row.ts";
import {
  insufficientScope,
  narrowed,
  requireScope,
  scopesOf,
  tokenLimitsOf,
} from "./token_scopes.ts";

/** An actor with the dependencies of a call. */
export interface Scope<A extends Actor = Actor, D = Deps> {
  readonly deps: D;
  readonly actor: A;
}

export type UserScope<D = Deps> = Scope<UserActor, D>;

/** Records granted rights in the type. It does not exist at run time. */
declare const granted: unique symbol;
interface Granted<What extends string> {
  readonly [granted]: Record<What, true>;
}

/** An actor's role and permissions in one project. */
export interface Membership {
  readonly project: ProjectRow;
  /** Empty for an admin who is not a member, and for schedules, integrations and autorun. */
  readonly role: string;
  /** Name of a role that is not fixed. */
  readonly roleName?: string;
  readonly permissions: number;
  /** Permissions that the actor's token lacks, but its owner has; missing for none. */
  readonly withheld?: number;
  /** Changes with each rule of the project's templates, workflows and views; null without any. */
  readonly rulesVersion: string | null;
}

/**
 * Scope of an actor who may see the project and has the permissions `P`. Only functions of this
 * file create one, so a function that takes it cannot be called without the right.
 */
export interface ProjectScope<P extends Permission = never, D = Deps>
  extends Scope<Actor, D>, Membership, Granted<P> {
  readonly projectId: number;
}

export interface AdminScope<D = Deps> extends Scope<UserActor, D>, Granted<"admin"> {}
/** Scope of a user who may create projects. */
export interface CreatorScope<D = Deps> extends Scope<UserActor, D>, Granted<"create_project"> {}
/** Scope of the account `userId`, used by its owner or by a global admin. */
export interface AccountScope<D = Deps> extends Scope<UserActor, D>, Granted<"account"> {
  readonly userId: number;
}

type HasStore = Pick<Deps, "kv">;

/**
 * Returns the scope of the project for `actor` as of now. Throws 404 for outsiders and unknown
 * projects alike, and 403 for members without `permission`.
 */
export async function openProject<P extends Permission = never, D extends HasStore = Deps>(
  { deps, actor }: Scope<Actor, D>,
  projectId: number,
  permission?: P,
): Promise<ProjectScope<P, D>> {
  const membership = await findMembership(deps.kv, actor, projectId);
  if (!membership) throw notFound();
  return withPermission(scopeOf({ deps, actor }, membership), permission);
}

/**
 * Opens the same project again for the same actor. Needed after a body was read, because rights may
 * have changed in the meantime.
 */
export const reopen = <P extends Permission = never>(scope: ProjectScope, permission?: P) =>
  openProject(scope, scope.projectId, permission);

/**
 * Returns `scope` if it has one more permission. Throws 403 otherwise, with the scope that a token
 * lacks for it.
 */
export function withPermission<
  P extends Permission = never,
  D = Deps,
  Had extends Permission = never,
>(
  scope: ProjectScope<Had, D>,
  permission?: P,
): ProjectScope<Had | P, D> {
  if (permission && !grants(scope.permissions, permission)) {
    if (grants(scope.withheld ?? 0, permission)) throw insufficientScope(scopesOf(permission)[0]);
    throw forbidden();
  }
  return scope as ProjectScope<Had | P, D>;
}

/** Returns `scope` if it has the permission; null otherwise. */
export const scopeWith = <P extends Permission, D = Deps>(
  scope: ProjectScope<never, D>,
  permission: P,
): ProjectScope<P, D> | null =>
  grants(scope.permissions, permission) ? scope as ProjectScope<P, D> : null;

/** Returns the scope of a membership that was just read. */
export const scopeOf = <D>({ deps, actor }: Scope<Actor, D>, membership: Membership) =>
  ({ deps, actor, projectId: membership.project.id, ...membership }) as ProjectScope<never, D>;

/**
 * Returns the membership of `actor` in the project; null for outsiders, and for projects that are
 * unknown or being deleted.
 */
export async function findMembership(
  kv: Store,
  actor: Actor,
  projectId: number,
): Promise<Membership | null> {
  if (isProjectToken(actor)) return await findTokenMembership(kv, actor as UserActor, projectId);
  const memberId = actor.kind === "user" ? actor.id : 0;
  const [project, member, rules] = await kv.getMany<[ProjectRow, MemberRow, unknown]>([
    rowKeys.project(projectId),
    rowKeys.member(projectId, memberId),
    rowKeys.accessRulesStamp(projectId),
  ]);
  const role = member.value && await findRole(kv, projectId, member.value.role);
  return membershipOf(actor, project.value, member.value, rules.versionstamp, role?.value);
}

/** Returns the same from rows that were just read, and reads the role if it is not fixed. */
export async function readMembership(
  kv: Store,
  actor: Actor,
  project: ProjectRow,
  member: MemberRow | null,
  rulesVersion: string | null = null,
): Promise<Membership | null> {
  const role = member && await findRole(kv, project.id, member.role);
  return membershipOf(actor, project, member, rulesVersion, role?.value);
}

/** Returns the same of a token of a project, which can lose its creator at any time. */
async function findTokenMembership(
  kv: Store,
  actor: UserActor,
  projectId: number,
): Promise<Membership | null> {
  const { ofProject, hash } = actor.credential;
  if (ofProject!.id !== projectId) return null;
  const [token, user, member, project, rules] = await kv.getMany<
    [...ProjectTokenRows, ProjectRow, unknown]
  >([
    ...projectTokenKeys(projectId, ofProject!.creatorId, hash),
    rowKeys.project(projectId),
    rowKeys.accessRulesStamp(projectId),
  ]);
  if (!token.value) return null;
  if (await suspendedBy(kv, token.value, user.value, member.value)) return null;
  return membershipOf(actor, project.value, null, rules.versionstamp);
}

/**
 * Returns the same from the rows of the project and of the actor in it, the version of the
 * project's rules, and the row of a role that is not fixed.
 */
export function membershipOf(
  actor: Actor,
  project: ProjectRow | null,
  member: MemberRow | null,
  rulesVersion: string | null,
  custom: RoleRow | null = null,
): Membership | null {
  if (!project || project.deleting) return null;
  if (actor.kind !== "user") {
    if (actor.projectId !== project.id) return null;
    return { project, role: "", permissions: RUN_PERMISSIONS, rulesVersion };
  }
  const { ofProject } = actor.credential;
  if (ofProject) {
    if (ofProject.id !== project.id) return null;
    const { permissions, withheld } = ofProject;
    return { project, role: "", permissions, withheld, rulesVersion };
  }
  const limits = tokenLimitsOf(actor);
  if (limits?.project_ids && !limits.project_ids.includes(project.id)) return null;
  const role = member?.role ?? "";
  if (role === "" && !isAdmins(actor)) return null;
  const own = isAdmins(actor) ? ALL_PERMISSIONS : maskOfRole(role, custom);
  const permissions = narrowed(own, limits);
  const withheld = own & ~permissions;
  const roleName = custom?.name;
  return { project, role, roleName, permissions, rulesVersion, ...withheld && { withheld } };
}

/** Whether the person is an admin, whatever their token leaves of that. */
export const isAdmins = ({ admin, credential }: UserActor): boolean =>
  admin || credential.ofAdmin === true;

/** Throws 403 unless the actor is a global admin, by a token with the scope of admins. */
export function requireAdmin<D>(scope: Scope<Actor, D>): AdminScope<D> {
  const { actor } = scope;
  if (actor.kind !== "user" || !isAdmins(actor)) throw forbidden();
  if (!actor.admin) throw insufficientScope("admin");
  return scope as AdminScope<D>;
}

/**
 * Throws 403 unless the account is the actor's own or the actor is a global admin, by a token with
 * the scope of admins.
 */
export function openAccount<D>(
  { deps, actor }: Scope<Actor, D>,
  userId: number,
): AccountScope<D> {
  if (actor.kind !== "user" || (!isAdmins(actor) && actor.id !== userId)) throw forbidden();
  requireScope(actor, "admin");
  return { deps, actor, userId } as AccountScope<D>;
}

/** Throws 403 unless the actor may create projects. */
export function requireCreator<D extends Pick<Deps, "config">>(
  scope: Scope<Actor, D>,
): CreatorScope<D> {
  const { actor } = scope;
  const person = actor.kind === "user" ? { ...actor, admin: isAdmins(actor) } : actor;
  if (!mayCreateProjects(scope.deps.config, person)) {
    throw new AppError(403, "errors.may_not_create");
  }
  requireScope(actor, "manage");
  if (tokenLimitsOf(actor)?.project_ids) throw new AppError(403, "errors.token_projects");
  return scope as CreatorScope<D>;
}
