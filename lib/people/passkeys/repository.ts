import { digest } from "../../base/version.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import type { PasskeyRow } from "./schema.ts";

/** More than anyone needs. The limit bounds the list. */
export const PASSKEYS_MAX = 50;

const ID_LENGTH = 43;

/** Returns a short id, because ids of credentials may be longer than a part of a key should be. */
const passkeyId = (credentialId: string): string => digest(credentialId, ID_LENGTH);

/** Returns a passkey's row and its owner; null if no one has it. */
export async function findPasskey(
  kv: Store,
  credentialId: string,
): Promise<{ userId: number; entry: Deno.KvEntry<PasskeyRow> } | null> {
  const id = passkeyId(credentialId);
  const { value: userId } = await kv.get<number>(rowKeys.passkeyOwner(id));
  const entry = userId === null ? null : await kv.get<PasskeyRow>(rowKeys.passkey(userId, id));
  return userId !== null && entry?.value ? { userId, entry } : null;
}

/** Returns an account's passkeys with their ids, oldest first. */
export async function listPasskeyRows(
  kv: Store,
  userId: number,
): Promise<{ id: string; row: PasskeyRow }[]> {
  const selector = { prefix: rowKeys.passkeys(userId) };
  const entries = kv.list<PasskeyRow>(selector, { limit: PASSKEYS_MAX });
  const rows = await Array.fromAsync(entries, ({ key, value }) => ({
    id: key[2] as string,
    row: value,
  }));
  return rows.toSorted((a, b) => a.row.created < b.row.created ? -1 : 1);
}

/** Adds a new passkey to `op`. The commit fails if someone already has it. */
export function insertPasskey(op: Atomic, userId: number, row: PasskeyRow): void {
  const id = passkeyId(row.credential_id);
  op.check({ key: rowKeys.passkeyOwner(id), versionstamp: null })
    .set(rowKeys.passkeyOwner(id), userId).set(rowKeys.passkey(userId, id), row);
}

/** Adds the removal of a passkey to `op`. */
export function removePasskey(op: Atomic, userId: number, id: string): void {
  op.delete(rowKeys.passkeyOwner(id)).delete(rowKeys.passkey(userId, id));
}

export async function forgetPasskeys(kv: Store, userId: number): Promise<void> {
  const op = kv.atomic();
  for (const { id } of await listPasskeyRows(kv, userId)) removePasskey(op, userId, id);
  await op.commit();
}
