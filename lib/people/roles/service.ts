import { roleSlugField } from "../../access/rules/role_slug.ts";
import { accessChanged } from "../../access/changed.ts";
import {
  ALL_PERMISSIONS,
  covers,
  maskForClients,
  maskOf,
  namesIn,
  type Permission,
  PERMISSIONS,
  permissionsOf,
} from "../../access/permissions.ts";
import { listRoleRows, type RoleRow, ROLES_MAX } from "../../access/roles.ts";
import type { AdminScope, ProjectScope } from "../../access/scope.ts";
import { AppError, conflict, invalidField, notFound } from "../../base/errors.ts";
import { type Expected, requireVersion, versioned } from "../../base/version.ts";
import { recordChange } from "../../events/record_change.ts";
import { getProjectEntry } from "../../model/projects.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import { transact } from "../../store/transact.ts";
import type { NewRoleForm, RoleForm, RoleView } from "./schema.ts";
import { freeSlug } from "./slugs.ts";
import { findRoleUses, usesSentence } from "./uses.ts";

/** Scope of people who see the roles that a project defines, or the server. */
type RolesScope = ProjectScope | AdminScope;
/** Scope of people who define them. */
type RolesManager = ProjectScope<"manage_users"> | AdminScope;

/** Returns the project whose roles a scope is for; 0 for the server. */
const placeOf = (scope: RolesScope): number => "projectId" in scope ? scope.projectId : 0;
/** Returns what the actor may do there, and so what a role may do that they define. */
const rightsOf = (scope: RolesScope): number =>
  "permissions" in scope ? scope.permissions : ALL_PERMISSIONS;

/** Returns the roles that a project defines, or the server, by name. */
export const listRoles = async (scope: RolesScope): Promise<RoleView[]> =>
  (await listRoleRows(scope.deps.kv, placeOf(scope))).map(viewOf);

/** Returns the roles that members of a project can have besides the fixed ones. */
export const listAllRoles = async (
  { deps: { kv }, projectId }: ProjectScope,
): Promise<RoleView[]> =>
  [...await listRoleRows(kv, projectId), ...await listRoleRows(kv, 0)].map(viewOf);

/** Returns one of the roles that a project defines, or the server. Throws not found. */
export const getRole = async (scope: RolesScope, slug: string): Promise<RoleView> =>
  viewOf((await getEntry(scope, slug)).value);

/**
 * Defines a role. Throws 403 for one that may do more than the actor, 400 without a free slug, and
 * 409 if there are too many.
 */
export async function createRole(
  scope: RolesManager,
  { slug: sent, name, ...sentRights }: NewRoleForm,
): Promise<RoleView> {
  const { deps, actor } = scope;
  const [{ kv }, place] = [deps, placeOf(scope)];
  return await transact(kv, async (op) => {
    if (place !== 0) op.check(await getProjectEntry(kv, place));
    const taken = await takenSlugs(kv, place);
    if ((await listRoleRows(kv, place)).length >= ROLES_MAX) {
      throw conflict("errors.list_full", { max: ROLES_MAX });
    }
    const slug = sent ?? freeSlug(name, taken);
    if (taken.has(slug)) throw invalidField("slug", "errors.roles.taken");
    const row: RoleRow = { project_id: place, slug, name, permissions: permissionsIn(sentRights) };
    requireWithin(scope, row);
    const key = rowKeys.role(place, slug);
    op.check({ key, versionstamp: null }).set(key, row);
    const states = { before: null, after: row };
    await recordChange(op, deps, actor, eventOf(states, "created"), statesOf(states));
    return viewOf(row);
  });
}

/**
 * Changes a role for all who have it, at once. Throws 403 for one that may do more than the actor,
 * before or after, and 412 if the stored one is not `expected`.
 */
export async function updateRole(
  scope: RolesManager,
  slug: string,
  { name, ...sentRights }: RoleForm,
  expected?: Expected,
): Promise<void> {
  const { deps, actor } = scope;
  await transact(deps.kv, async (op) => {
    const entry = await getEntry(scope, slug);
    const before = entry.value;
    requireVersion(before, expected);
    const after = { ...before, name, permissions: permissionsIn(sentRights, before) };
    for (const row of [before, after]) requireWithin(scope, row);
    op.check(entry).set(entry.key, after);
    const states = { before, after };
    await recordChange(op, deps, actor, eventOf(states, "updated"), statesOf(states));
  });
  await accessChanged(deps, { project_id: null, user_id: null });
}

/**
 * Deletes a role. Throws 409 with its uses while someone has it or a rule names it, 403 for a role
 * that may do more than the actor, and 412 if the stored one is not `expected`.
 */
export async function deleteRole(
  scope: RolesManager,
  slug: string,
  expected?: Expected,
): Promise<void> {
  const { deps, actor } = scope;
  await transact(deps.kv, async (op) => {
    // Read before its uses, because giving it to someone rewrites its row.
    const entry = await getEntry(scope, slug);
    requireVersion(entry.value, expected);
    requireWithin(scope, entry.value);
    const uses = await findRoleUses(deps, placeOf(scope), slug);
    const sentence = await usesSentence(deps.kv, uses);
    if (sentence) throw new AppError(409, sentence.key, sentence.params);
    op.check(entry).delete(entry.key);
    const states = { before: entry.value, after: null };
    await recordChange(op, deps, actor, eventOf(states, "deleted"), statesOf(states));
  });
  await accessChanged(deps, { project_id: null, user_id: null });
}

async function getEntry(scope: RolesScope, slug: string): Promise<Deno.KvEntry<RoleRow>> {
  if (!roleSlugField.safeParse(slug).success) throw notFound(); // maybe too long for a key
  const entry = await scope.deps.kv.get<RoleRow>(rowKeys.role(placeOf(scope), slug));
  if (!entry.value) throw notFound();
  return entry as Deno.KvEntry<RoleRow>;
}

/** Returns the slugs that a new role cannot have: each means one role, wherever it is used. */
async function takenSlugs(kv: Store, place: number): Promise<Set<string>> {
  const prefixes = place === 0 ? [["roles"]] : [rowKeys.roles(place), rowKeys.roles(0)];
  const lists = await Promise.all(
    prefixes.map((prefix) => Array.fromAsync(kv.list<RoleRow>({ prefix }), ({ value }) => value)),
  );
  return new Set(lists.flat().map(({ slug }) => slug));
}

/** Throws 403 for a role that may do more than the actor. */
function requireWithin(scope: RolesManager, { permissions }: RoleRow): void {
  if (!covers(rightsOf(scope), maskOf(permissions))) {
    throw new AppError(403, "errors.beyond_rights");
  }
}

/** Meaning of each bit that clients know: the rights of the fixed roles that have it. */
const KNOWN: [bit: number, mask: number][] = [
  [PERMISSIONS.run_tasks, permissionsOf("task_runner")],
  [PERMISSIONS.update_project, PERMISSIONS.update_project],
  [
    PERMISSIONS.manage_resources,
    permissionsOf("manager") & ~permissionsOf("task_runner"),
  ],
  [PERMISSIONS.manage_users, maskOf(["manage_users"])],
];

/** Returns the permissions that a form names, by names or else by the bits that clients know. */
function permissionsIn(
  { granted, permissions: bits }: Pick<RoleForm, "granted" | "permissions">,
  stored?: RoleRow,
): Permission[] {
  if (granted) return namesIn(maskOf(granted));
  if (bits == null) return stored?.permissions ?? [];
  // A client that sends back what it was told changes nothing.
  if (stored && maskForClients(maskOf(stored.permissions)) === bits) return stored.permissions;
  const guest = permissionsOf("guest");
  return namesIn(KNOWN.reduce((mask, [bit, all]) => bits & bit ? mask | all : mask, guest));
}

const viewOf = (row: RoleRow): RoleView =>
  versioned({
    slug: row.slug,
    name: row.name,
    permissions: maskForClients(maskOf(row.permissions)),
    project_id: row.project_id || null,
    granted: namesIn(maskOf(row.permissions)),
  }, row);

interface States {
  before: RoleRow | null;
  after: RoleRow | null;
}

const eventOf = ({ before, after }: States, action: string) => {
  const { project_id: projectId, name } = (after ?? before)!;
  return { projectId, object: "role", id: 0, name, action } as const;
};

/** Returns the states that an event compares: what people can change. */
const statesOf = ({ before, after }: States) => ({
  before: before && { name: before.name, permissions: before.permissions },
  after: after && { name: after.name, permissions: after.permissions },
});
