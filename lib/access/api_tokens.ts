import { rowKeys } from "../store/keys.ts";
import type { Atomic, Store } from "../store/store.ts";
import type { TokenLimits } from "../model/token_limits.ts";
import { isRecent } from "./sessions.ts";

export interface ApiTokenRow {
  user_id: number;
  /** First letters of the token. They are enough to recognize it and too few to use it. */
  prefix: string;
  name: string;
  created: string;
  expires_at: string | null;
  last_used: string | null;
  /** Address of that use; missing before the first one. */
  last_address?: string;
  /** Whether it may create other tokens. */
  may_make_tokens: boolean;
  /** Its limits; missing for a token that may do all that its person may. */
  limits?: TokenLimits;
}

/** Each token has two rows, so this is well below the limit of one commit. */
const COMMIT_TOKENS_MAX = 250;
/** How long a token is still listed after it has expired. */
export const EXPIRED_KEPT_MS = 30 * 86_400_000;

export const isUsable = ({ expires_at }: ApiTokenRow, now: Date): boolean =>
  expires_at === null || now.getTime() < Date.parse(expires_at);

/** Adds a token's rows to `op`. */
export function putApiToken(op: Atomic, hash: string, row: ApiTokenRow, now: Date) {
  const expiry = expiryOf(row, now);
  op.set(rowKeys.apiToken(hash), row, expiry)
    .set(rowKeys.apiTokenByUser(row.user_id, hash), true, expiry);
}

const ADDRESS_MAX = 100;

/** Records at intervals that a token is in use. A token revoked in the meantime stays revoked. */
export async function touchApiToken(
  kv: Store,
  entry: Deno.KvEntry<ApiTokenRow>,
  now: Date,
  address?: string,
) {
  const used = usedAt(entry.value, now, address);
  if (!used) return;
  await kv.atomic().check(entry).set(entry.key, used, expiryOf(used, now)).commit();
}

/** Returns the row of a token that is used now; null if a use was recorded not long ago. */
export function usedAt<Row extends Pick<ApiTokenRow, "last_used" | "last_address">>(
  row: Row,
  now: Date,
  address?: string,
): Row | null {
  if (row.last_used && isRecent(row.last_used, now)) return null;
  const last_address = address?.slice(0, ADDRESS_MAX) ?? row.last_address;
  return { ...row, last_used: now.toISOString(), ...last_address && { last_address } };
}

/** Adds the removal of one token to `op`. */
export function removeApiToken(op: Atomic, userId: number, hash: string): void {
  op.delete(rowKeys.apiToken(hash)).delete(rowKeys.apiTokenByUser(userId, hash));
}

/** Revokes all of a user's tokens except `exceptHash`. Returns how many were revoked. */
export async function revokeApiTokens(
  kv: Store,
  userId: number,
  exceptHash?: string,
): Promise<number> {
  const ended = (await listApiTokens(kv, userId)).filter(({ hash }) => hash !== exceptHash)
    .slice(0, COMMIT_TOKENS_MAX);
  if (ended.length === 0) return 0;
  const op = kv.atomic();
  for (const { hash } of ended) removeApiToken(op, userId, hash);
  await op.commit();
  // Repeats until none is left, because one of these may have created another in the meantime.
  return ended.length + await revokeApiTokens(kv, userId, exceptHash);
}

/** Returns a user's tokens with their hashes, oldest first. */
export async function listApiTokens(
  kv: Store,
  userId: number,
): Promise<{ hash: string; row: ApiTokenRow }[]> {
  const tokens: { hash: string; row: ApiTokenRow }[] = [];
  for await (
    const { key } of kv.list({ prefix: rowKeys.apiTokensByUser(userId) }, { limit: 1000 })
  ) {
    const hash = key[2] as string;
    const { value } = await kv.get<ApiTokenRow>(rowKeys.apiToken(hash));
    if (value) tokens.push({ hash, row: value });
  }
  return tokens.toSorted((a, b) => a.row.created < b.row.created ? -1 : 1);
}

function expiryOf({ expires_at }: ApiTokenRow, now: Date): { expireIn?: number } {
  if (expires_at === null) return {};
  return { expireIn: Math.max(1, Date.parse(expires_at) + EXPIRED_KEPT_MS - now.getTime()) };
}
