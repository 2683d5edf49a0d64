import { AppError } from "../../base/errors.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import type { UserRow } from "../../model/account_row.ts";
import { findUser } from "../../model/accounts.ts";
import { confusableDigest } from "../../base/text/confusables.ts";

/**
 * Returns the user whose username is `login`, or else whose e-mail address it is. Capitals do not
 * matter.
 */
export async function findUserByLogin(
  kv: Store,
  login: string,
): Promise<Deno.KvEntry<UserRow> | null> {
  const [byUsername, byEmail] = await kv.getMany<[number, number]>([
    rowKeys.userByUsername(login),
    rowKeys.userByEmail(login),
  ]);
  const id = byUsername.value ?? byEmail.value;
  return id === null ? null : await findUser(kv, id);
}

/** Whether a username is free, and no one else has one that looks like it. */
export async function isFreeUsername(kv: Store, username: string, ownId = 0): Promise<boolean> {
  const { value: alike } = await kv.get<number>(
    rowKeys.userByLook(await confusableDigest(username)),
  );
  const same = (await findUserByLogin(kv, username))?.value.id ?? null;
  return [alike, same].every((id) => id === null || id === ownId);
}

/** Returns the ids of admins, at most `limit`. */
export const listAdminIds = async (kv: Store, limit: number): Promise<number[]> =>
  (await Array.fromAsync(kv.list({ prefix: rowKeys.admins() }, { limit })))
    .map(({ key }) => key.at(-1) as number);

/**
 * Adds a new user to `op`. Throws 409 if someone has the username, one that looks like it, or the
 * e-mail address.
 */
export async function insertUser(
  kv: Store,
  op: Atomic,
  row: UserRow,
): Promise<void> {
  await claimLogins(kv, op, row);
  await claimLook(kv, op, row);
  if (row.admin) op.set(rowKeys.admin(row.id), true);
  op.check({ key: rowKeys.user(row.id), versionstamp: null }).set(rowKeys.user(row.id), row)
    .set(rowKeys.usersStamp(), row.id);
}

/**
 * Adds the change of a user to `op`. Throws 409 as `insertUser` does, and if no admin would be
 * left.
 */
export async function replaceUser(
  kv: Store,
  op: Atomic,
  entry: Deno.KvEntry<UserRow>,
  row: UserRow,
): Promise<void> {
  const before = entry.value;
  await claimLogins(kv, op, row);
  if (row.username !== before.username) {
    await dropLook(kv, op, before);
    await claimLook(kv, op, row);
  }
  dropLogins(op, before, row);
  if (row.username !== before.username || row.name !== before.name) {
    op.set(rowKeys.usersStamp(), row.id);
  }
  if (before.admin && !row.admin) await removeAdmin(kv, op, row.id);
  if (row.admin) op.set(rowKeys.admin(row.id), true);
  op.check(entry).set(entry.key, row);
}

/** Adds the deletion of a user to `op`. Throws 409 for the last admin. */
export async function removeUser(
  kv: Store,
  op: Atomic,
  entry: Deno.KvEntry<UserRow>,
): Promise<void> {
  dropLogins(op, entry.value, null);
  await dropLook(kv, op, entry.value);
  if (entry.value.admin) await removeAdmin(kv, op, entry.value.id);
  op.check(entry).delete(entry.key).set(rowKeys.usersStamp(), entry.value.id);
}

/**
 * Claims both names for one user, each as a username and as an address. Someone who took another
 * user's address as a username would receive that user's sign-in attempts.
 */
async function claimLogins(kv: Store, op: Atomic, row: UserRow) {
  for (const field of ["username", "email"] as const) {
    const holders = await kv.getMany<[number, number]>([
      rowKeys.userByUsername(row[field]),
      rowKeys.userByEmail(row[field]),
    ]);
    if (holders.some(({ value }) => value !== null && value !== row.id)) {
      const key = `errors.${field}_taken`;
      throw new AppError(409, key, {}, { fields: { [field]: { key } } });
    }
    op.check(...holders);
  }
  op.set(rowKeys.userByUsername(row.username), row.id).set(rowKeys.userByEmail(row.email), row.id);
}

/** Claims the look of a username, so that no two look alike. */
async function claimLook(kv: Store, op: Atomic, { id, username }: UserRow) {
  const holder = await kv.get<number>(rowKeys.userByLook(await confusableDigest(username)));
  if (holder.value !== null && holder.value !== id) {
    const key = "errors.username_looks_alike";
    throw new AppError(409, key, {}, { fields: { username: { key } } });
  }
  op.check(holder).set(holder.key, id);
}

async function dropLook(kv: Store, op: Atomic, { id, username }: UserRow) {
  const holder = await kv.get<number>(rowKeys.userByLook(await confusableDigest(username)));
  if (holder.value === id) op.delete(holder.key);
}

/** Adds to `op` that the names of `before` are free again, except those that `after` keeps. */
function dropLogins(op: Atomic, before: UserRow, after: UserRow | null) {
  const kept = (field: "username" | "email") =>
    after?.[field].toLowerCase() === before[field].toLowerCase();
  if (!kept("username")) op.delete(rowKeys.userByUsername(before.username));
  if (!kept("email")) op.delete(rowKeys.userByEmail(before.email));
}

async function removeAdmin(kv: Store, op: Atomic, userId: number) {
  const guard = await kv.get(rowKeys.adminsGuard()); // before the list, never after
  await requireOtherAdmin(kv, userId);
  op.check(guard).set(guard.key, userId).delete(rowKeys.admin(userId));
}

/** Throws 409 when `userId` is the only admin. */
export async function requireOtherAdmin(kv: Store, userId: number): Promise<void> {
  for await (const { key } of kv.list({ prefix: rowKeys.admins() }, { limit: 2 })) {
    if (key[1] !== userId) return;
  }
  throw new AppError(409, "errors.last_admin");
}

/** Whether there is any admin. Without one, the first start creates one. */
export async function hasAdmin(kv: Store): Promise<boolean> {
  for await (const _ of kv.list({ prefix: rowKeys.admins() }, { limit: 1 })) return true;
  return false;
}
