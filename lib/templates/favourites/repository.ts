import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import type { Store } from "../../store/store.ts";

/**
 * A user's favourites among the project's templates, with the entry to check when changing them.
 */
export async function getFavourites(kv: Store, projectId: number, userId: number) {
  const entry = await kv.get<number[]>(rowKeys.favourites(projectId, userId));
  return { entry, ids: entry.value ?? [] };
}

/** Removes a deleted template from the favourites of all users. */
export async function forgetFavourite(kv: Store, projectId: number, templateId: number) {
  const rows = kv.list<number[]>({ prefix: rowKeys.favouritesOf(projectId) }, { batchSize: 500 });
  for await (const { key, value } of rows) {
    if (!value.includes(templateId)) continue;
    await transact(kv, async (op) => {
      const entry = await kv.get<number[]>(key);
      const left = (entry.value ?? []).filter((id) => id !== templateId);
      op.check(entry);
      if (left.length > 0) op.set(key, left);
      else op.delete(key);
    });
  }
}
