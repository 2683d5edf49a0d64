import { grants, permissionsOf } from "../../access/permissions.ts";
import { getMember, listMemberRows, listProjectIds } from "../../access/members.ts";
import { getUsers, listUserRows } from "./repository.ts";
import type { UserRow } from "./schema.ts";

/**
 * Returns the accounts that someone who is not an admin may know of: all accounts if they may add
 * members to a project, else those of people they share a project with.
 */
export async function visibleUsers(kv: Deno.Kv, userId: number): Promise<UserRow[]> {
  const projectIds = await listProjectIds(kv, userId);
  return await managesUsers(kv, userId, projectIds)
    ? await listUserRows(kv)
    : await teammates(kv, userId, projectIds);
}

async function managesUsers(
  kv: Deno.Kv,
  userId: number,
  projectIds: number[],
): Promise<boolean> {
  for (const projectId of projectIds) {
    const { value } = await getMember(kv, projectId, userId);
    if (value && grants(permissionsOf(value.role), "manage_users")) return true;
  }
  return false;
}

async function teammates(
  kv: Deno.Kv,
  userId: number,
  projectIds: number[],
): Promise<UserRow[]> {
  const ids = new Set([userId]);
  for (const projectId of projectIds) {
    for (const { user_id } of await listMemberRows(kv, projectId)) ids.add(user_id);
  }
  return [...(await getUsers(kv, [...ids].toSorted((a, b) => a - b))).values()];
}
