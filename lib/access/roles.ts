import { invalidField } from "../base/errors.ts";
import { isFixedRole } from "../model/roles.ts";
import { rowKeys } from "../store/keys.ts";
import { getRecent } from "../store/rows/recent_rows.ts";
import type { Atomic, Store } from "../store/store.ts";
import { maskOf, type Permission, permissionsOf } from "./permissions.ts";

/** Stored row of a role that a project defines, or the server, which is project 0. */
export interface RoleRow {
  project_id: number;
  /** Name in members, rules and addresses. It never changes. */
  slug: string;
  name: string;
  permissions: Permission[];
}

/** How many roles a project, or the server, may define. */
export const ROLES_MAX = 50;

/** Returns the role of the project or the server that a slug names; null for fixed ones. */
export async function findRole(
  kv: Store,
  projectId: number,
  slug: string,
): Promise<Deno.KvEntry<RoleRow> | null> {
  if (isFixedRole(slug)) return null;
  const keys = [rowKeys.role(projectId, slug), rowKeys.role(0, slug)];
  const entries = await getRecent<[RoleRow, RoleRow]>(kv, keys);
  return entries.find((entry) => entry.value !== null) as Deno.KvEntry<RoleRow> ?? null;
}

/** Returns the mask of a role. One that was deleted in the meantime permits nothing. */
export const maskOfRole = (slug: string, row: RoleRow | null): number =>
  isFixedRole(slug) ? permissionsOf(slug) : maskOf(row?.permissions ?? []);

/** Returns the mask of the role that a slug names in a project. */
export const readMask = async (kv: Store, projectId: number, slug: string): Promise<number> =>
  maskOfRole(slug, (await findRole(kv, projectId, slug))?.value ?? null);

/** Returns a function with the masks of roles in a project, each read once. */
export async function readMasks(
  kv: Store,
  projectId: number,
  slugs: Iterable<string>,
): Promise<(slug: string) => number> {
  const masks = await Promise.all(
    [...new Set(slugs)].map(async (slug) => [slug, await readMask(kv, projectId, slug)] as const),
  );
  const known = new Map(masks);
  return (slug) => known.get(slug) ?? 0;
}

/**
 * Adds to `op` that a role is given, and returns its mask. The commit fails if the role is changed
 * or deleted first, and a later deletion notices the new member. Throws 400 for an unknown role.
 */
export async function holdRole(
  kv: Store,
  op: Atomic,
  projectId: number,
  slug: string,
): Promise<number> {
  if (isFixedRole(slug)) return permissionsOf(slug);
  const entry = await findRole(kv, projectId, slug);
  if (!entry) throw invalidField("role", "errors.unknown_role");
  op.check(entry).set(entry.key, entry.value);
  return maskOf(entry.value.permissions);
}

/** Returns the roles that a project defines, or the server, by name. */
export async function listRoleRows(kv: Store, projectId: number): Promise<RoleRow[]> {
  const rows = kv.list<RoleRow>({ prefix: rowKeys.roles(projectId) }, { limit: ROLES_MAX });
  return (await Array.fromAsync(rows, ({ value }) => value))
    .toSorted((a, b) => a.name.localeCompare(b.name) || (a.slug < b.slug ? -1 : 1));
}
