import { notFound } from "../base/errors.ts";
import { getAll } from "../store/rows/get_all.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import type { UserRow } from "./account_row.ts";

/** More users than an installation has. The limit bounds every list. */
const LIST_MAX = 10_000;

/** Returns the user's row with its versionstamp; null if there is none. */
export async function findUser(kv: Store, id: number): Promise<Deno.KvEntry<UserRow> | null> {
  const entry = await kv.get<UserRow>(rowKeys.user(id));
  return entry.versionstamp === null ? null : entry;
}

/** Returns the user's row with its versionstamp. Throws not found. */
export async function getUserEntry(kv: Store, id: number): Promise<Deno.KvEntry<UserRow>> {
  const entry = await findUser(kv, id);
  if (!entry) throw notFound();
  return entry;
}

/** Returns the user. Throws not found. */
export async function getUserRow(kv: Store, id: number): Promise<UserRow> {
  return (await getUserEntry(kv, id)).value;
}

/** Returns all users by id. */
export async function listUserRows(kv: Store): Promise<UserRow[]> {
  const rows: UserRow[] = [];
  const entries = kv.list<UserRow>({ prefix: rowKeys.users() }, {
    limit: LIST_MAX,
    batchSize: 500,
  });
  for await (const { value } of entries) rows.push(value);
  return rows;
}

/** Returns the users with these ids. Missing ones are left out. */
export async function getUsers(kv: Store, ids: number[]): Promise<Map<number, UserRow>> {
  const rows = await getAll<UserRow>(kv, ids.map((id) => rowKeys.user(id)));
  return new Map(rows.flatMap(({ value }) => value ? [[value.id, value] as const] : []));
}
