import { keys } from "../kv/keys.ts";
import { type BearerToken, newBearerToken } from "./bearer_tokens.ts";

/** What is stored for a signed-in browser. */
export interface SessionRow {
  user_id: number;
  created: string;
  last_active: string;
  address: string;
  user_agent: string;
}

const DAY_MS = 86_400_000;
const IDLE_MAX_MS = 7 * DAY_MS;
export const SESSION_AGE_MAX_MS = 30 * DAY_MS;
/** Being active is written down at most this often: reading pages must not cost writes. */
export const TOUCH_INTERVAL_MS = 5 * 60_000;

/** Where a sign-in came from. */
export interface SignInOrigin {
  address: string;
  userAgent: string;
}

/** Adds a session of `userId` to `op`; the token goes into the cookie. */
export async function insertSession(
  op: Deno.AtomicOperation,
  now: Date,
  userId: number,
  { address, userAgent }: SignInOrigin,
): Promise<BearerToken> {
  const token = await newBearerToken(userId);
  const time = now.toISOString();
  const row: SessionRow = {
    user_id: userId,
    created: time,
    last_active: time,
    address,
    user_agent: userAgent.slice(0, 200),
  };
  const expiry = { expireIn: SESSION_AGE_MAX_MS };
  op.set(keys.session(token.hash), row, expiry)
    .set(keys.sessionByUser(userId, token.hash), true, expiry);
  return token;
}

/** Whether a session still counts: not idle for a week, and not older than a month. */
export function isAlive({ created, last_active }: SessionRow, now: Date): boolean {
  return now.getTime() < Date.parse(last_active) + IDLE_MAX_MS &&
    now.getTime() < Date.parse(created) + SESSION_AGE_MAX_MS;
}

/** Writes down that a session is in use. One that is revoked meanwhile stays so. */
export async function touchSession(kv: Deno.Kv, entry: Deno.KvEntry<SessionRow>, now: Date) {
  const row = entry.value;
  if (now.getTime() < Date.parse(row.last_active) + TOUCH_INTERVAL_MS) return;
  const expireIn = Math.max(1, Date.parse(row.created) + SESSION_AGE_MAX_MS - now.getTime());
  const touched: SessionRow = { ...row, last_active: now.toISOString() };
  await kv.atomic().check(entry).set(entry.key, touched, { expireIn }).commit();
}

/** Ends one session. */
export async function revokeSession(kv: Deno.Kv, userId: number, hash: string): Promise<void> {
  await kv.atomic().delete(keys.session(hash)).delete(keys.sessionByUser(userId, hash)).commit();
}

/** Ends all of a user's sessions, but for the one that asks. */
export async function revokeSessions(kv: Deno.Kv, userId: number, exceptHash?: string) {
  for await (const { key } of kv.list({ prefix: keys.sessionsByUser(userId) })) {
    const hash = key[2] as string;
    if (hash !== exceptHash) await revokeSession(kv, userId, hash);
  }
}
