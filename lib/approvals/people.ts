import { getAll } from "../store/rows/get_all.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import type { ApprovalPerson } from "./schema.ts";

/**
 * Returns the people that a rule names, with the names of those who are members. Readers cannot
 * list other names.
 */
export async function approversOf(
  kv: Store,
  projectId: number,
  ids: readonly number[],
): Promise<ApprovalPerson[]> {
  const [users, members] = await Promise.all([
    getAll<{ name: string }>(kv, ids.map(rowKeys.user)),
    getAll(kv, ids.map((id) => rowKeys.member(projectId, id))),
  ]);
  return ids.map((id, n) => ({ id, name: members[n].value ? users[n].value?.name ?? null : null }));
}
