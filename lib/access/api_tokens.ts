import { rowKeys } from "../kv/keys.ts";
import { isRecent } from "./sessions.ts";

/** What is stored of an API token. */
export interface ApiTokenRow {
  user_id: number;
  /** The first letters of the token: enough to tell it from others, too few to use it. */
  prefix: string;
  name: string;
  created: string;
  expires_at: string | null;
  last_used: string | null;
  /** Whether it makes others; missing in rows of earlier versions, which do. */
  may_make_tokens?: boolean;
}

/** Two rows each: well below what one commit takes. */
const COMMIT_TOKENS_MAX = 250;
/** How long a token is still listed after it has expired. */
const EXPIRED_KEPT_MS = 30 * 86_400_000;

export const isUsable = ({ expires_at }: ApiTokenRow, now: Date): boolean =>
  expires_at === null || now.getTime() < Date.parse(expires_at);

/** Whether a token may make others: those of before that rule may. */
export const mayMakeTokens = ({ may_make_tokens }: ApiTokenRow): boolean =>
  may_make_tokens !== false;

/** Adds a token's rows to `op`. */
export function putApiToken(op: Deno.AtomicOperation, hash: string, row: ApiTokenRow, now: Date) {
  const expiry = expiryOf(row, now);
  op.set(rowKeys.apiToken(hash), row, expiry)
    .set(rowKeys.apiTokenByUser(row.user_id, hash), true, expiry);
}

/** Writes down that a token is in use, now and then. One that is revoked meanwhile stays so. */
export async function touchApiToken(kv: Deno.Kv, entry: Deno.KvEntry<ApiTokenRow>, now: Date) {
  const row = entry.value;
  if (row.last_used && isRecent(row.last_used, now)) return;
  const used: ApiTokenRow = { ...row, last_used: now.toISOString() };
  await kv.atomic().check(entry).set(entry.key, used, expiryOf(row, now)).commit();
}

/** Adds to `op` the end of one token. */
export function removeApiToken(op: Deno.AtomicOperation, userId: number, hash: string): void {
  op.delete(rowKeys.apiToken(hash)).delete(rowKeys.apiTokenByUser(userId, hash));
}

/** Ends all of a user's tokens, but for the one that asks. Answers how many. */
export async function revokeApiTokens(
  kv: Deno.Kv,
  userId: number,
  exceptHash?: string,
): Promise<number> {
  const ended = (await listApiTokens(kv, userId)).filter(({ hash }) => hash !== exceptHash)
    .slice(0, COMMIT_TOKENS_MAX);
  if (ended.length === 0) return 0;
  const op = kv.atomic();
  for (const { hash } of ended) removeApiToken(op, userId, hash);
  await op.commit();
  // Until none is left: one of these may have made another while they were listed.
  return ended.length + await revokeApiTokens(kv, userId, exceptHash);
}

/** A user's tokens with the hashes that find them, oldest first. */
export async function listApiTokens(
  kv: Deno.Kv,
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
