import { rowKeys } from "../store/keys.ts";
import type { Atomic, Store } from "../store/store.ts";
import type { MemberRow } from "../model/project_row.ts";

/** More members or memberships than exist. The limit bounds every list. */
const LIST_MAX = 10_000;

/** Returns the member's row. Its versionstamp is null if the user is not a member. */
export function getMember(kv: Store, projectId: number, userId: number) {
  return kv.get<MemberRow>(rowKeys.member(projectId, userId));
}

/** Returns the project's members by user id. */
export async function listMemberRows(kv: Store, projectId: number): Promise<MemberRow[]> {
  const rows: MemberRow[] = [];
  const entries = kv.list<MemberRow>({ prefix: rowKeys.members(projectId) }, {
    limit: LIST_MAX,
    batchSize: 500,
  });
  for await (const { value } of entries) rows.push(value);
  return rows;
}

/** Returns the ids of the projects that the user is a member of. */
export async function listProjectIds(kv: Store, userId: number): Promise<number[]> {
  const ids: number[] = [];
  const entries = kv.list({ prefix: rowKeys.membersByUser(userId) }, {
    limit: LIST_MAX,
    batchSize: 500,
  });
  for await (const { key } of entries) ids.push(key[2] as number);
  return ids;
}

/** Adds a new member, or another role of a member, to `op`. */
export function setMember(op: Atomic, row: MemberRow): void {
  op.set(rowKeys.member(row.project_id, row.user_id), row)
    .set(rowKeys.memberByUser(row.user_id, row.project_id), true);
}

/** Adds the removal of a member to `op`. */
export function removeMember(op: Atomic, projectId: number, userId: number): void {
  op.delete(rowKeys.member(projectId, userId)).delete(rowKeys.memberByUser(userId, projectId))
    .delete(rowKeys.favourites(projectId, userId));
}
