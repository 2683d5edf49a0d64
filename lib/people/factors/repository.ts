import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import type { SecondFactorRow, TrustedBrowserRow } from "./schema.ts";

/** How long a browser is not asked for a code. */
const TRUSTED_MS = 30 * 86_400_000;
/** More than anyone has. The limit bounds the list. */
const TRUSTED_MAX = 100;

/** Returns an account's second factor. Its versionstamp is null if there is none. */
export const findSecondFactor = (kv: Store, userId: number) =>
  kv.get<SecondFactorRow>(rowKeys.secondFactor(userId));

/** Returns a trusted browser of an account by its token's hash. */
export const findTrustedBrowser = (kv: Store, userId: number, hash: string) =>
  kv.get<TrustedBrowserRow>(rowKeys.trustedBrowser(userId, hash));

/** Adds a trusted browser to `op`. It is forgotten automatically. */
export function putTrustedBrowser(
  op: Atomic,
  userId: number,
  hash: string,
  row: TrustedBrowserRow,
  now: Date,
): void {
  const expireIn = Math.max(1, Date.parse(row.created) + TRUSTED_MS - now.getTime());
  op.set(rowKeys.trustedBrowser(userId, hash), row, { expireIn });
}

/** Returns the trusted browsers of an account that have not expired, with their hashes. */
export async function listTrustedBrowsers(
  kv: Store,
  userId: number,
  now: Date,
): Promise<{ hash: string; row: TrustedBrowserRow }[]> {
  const rows: { hash: string; row: TrustedBrowserRow }[] = [];
  const prefix = rowKeys.trustedBrowsers(userId);
  for await (
    const { key, value } of kv.list<TrustedBrowserRow>({ prefix }, { limit: TRUSTED_MAX })
  ) {
    if (isTrusted(value, now)) rows.push({ hash: key[2] as string, row: value });
  }
  return rows;
}

/** Whether a trusted browser has not expired. */
export const isTrusted = ({ created }: TrustedBrowserRow, now: Date): boolean =>
  now.getTime() < Date.parse(created) + TRUSTED_MS;

/** Deletes all trusted browsers of an account. */
export async function forgetTrustedBrowsers(kv: Store, userId: number): Promise<void> {
  for await (const { key } of kv.list({ prefix: rowKeys.trustedBrowsers(userId) })) {
    await kv.delete(key);
  }
}
