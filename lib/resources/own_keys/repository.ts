import { notFound } from "../../base/errors.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import type { OwnKeyRow } from "./schema.ts";

/** More than anyone needs. The limit bounds the list. */
export const OWN_KEYS_MAX = 20;

/** Returns a person's keys, oldest first. */
export const listOwnKeyRows = (kv: Store, userId: number): Promise<OwnKeyRow[]> =>
  Array.fromAsync(
    kv.list<OwnKeyRow>({ prefix: rowKeys.ownKeys(userId) }, { limit: OWN_KEYS_MAX }),
    ({ value }) => value,
  );

/** Returns a key by its owner and id together. Throws 404 if that person has no such key. */
export async function getOwnKeyEntry(
  kv: Store,
  userId: number,
  id: number,
): Promise<Deno.KvEntry<OwnKeyRow>> {
  const entry = await kv.get<OwnKeyRow>(rowKeys.ownKey(userId, id));
  if (entry.versionstamp === null) throw notFound();
  return entry;
}
