import type { Client } from "./actor.ts";
import { rowKeys } from "../store/keys.ts";
import type { Atomic, Store } from "../store/store.ts";
import { writeAll } from "../store/rows/write_all.ts";
import { type BearerToken, newBearerToken } from "./bearer_tokens.ts";

/** Stored row of a signed-in browser. */
export interface SessionRow {
  user_id: number;
  created: string;
  last_active: string;
  address: string;
  user_agent: string;
  /** The sign-in provider that opened the session, if one did. */
  provider?: SessionProvider;
}

/** A person at a provider, and the provider's id of its own session of them. */
export interface SessionProvider {
  /** The provider's id in the settings. */
  id: string;
  issuer: string;
  subject: string;
  sid?: string;
  /** Sealed ID token, which the provider receives at its own sign-out. */
  id_token?: Uint8Array;
}

/** Cookie with the session's token. Scripts cannot read it. */
export const SESSION_COOKIE = "callboard";

const DAY_MS = 86_400_000;
const IDLE_MAX_MS = 7 * DAY_MS;
export const SESSION_AGE_MAX_MS = 30 * DAY_MS;
/** Activity is recorded at most this often, so that reading pages does not cost writes. */
const TOUCH_INTERVAL_MS = 5 * 60_000;

/** Address and browser of a sign-in. */
export interface SignInOrigin {
  address: string;
  userAgent: string;
  /** Cookie of a browser that has signed in before. */
  device?: string;
  /** Cookie of a trusted browser, which may skip the code. */
  trusted?: string;
}

/** Returns the client of a sign-in, as events keep it. */
export const signInClient = ({ address, userAgent }: SignInOrigin): Client => ({
  address,
  user_agent: userAgent,
});

/** Adds a session of `userId` to `op`. Returns its token for the cookie. */
export function insertSession(
  op: Atomic,
  now: Date,
  userId: number,
  { address, userAgent }: SignInOrigin,
  provider?: SessionProvider,
): BearerToken {
  const token = newBearerToken(userId);
  const time = now.toISOString();
  const row: SessionRow = {
    user_id: userId,
    created: time,
    last_active: time,
    address,
    user_agent: userAgent.slice(0, 200),
    ...provider && { provider },
  };
  putSession(op, token.hash, row, now);
  return token;
}

/** Returns when the row of a session expires: when no one can use the session any more. */
export function expiryOf({ created }: SessionRow, now: Date): { expireIn: number } {
  const leftMs = Date.parse(created) + SESSION_AGE_MAX_MS - now.getTime();
  return { expireIn: Math.max(1, Math.min(IDLE_MAX_MS, leftMs)) };
}

/** Adds a session's rows to `op`. They expire automatically. */
function putSession(op: Atomic, hash: string, row: SessionRow, now: Date) {
  const expiry = expiryOf(row, now);
  op.set(rowKeys.session(hash), row, expiry)
    .set(rowKeys.sessionByUser(row.user_id, hash), true, expiry);
  const { issuer, sid } = row.provider ?? {};
  if (issuer && sid) op.set(rowKeys.providerSession(issuer, sid, hash), row.user_id, expiry);
}

/** Whether a session is still valid: not idle for a week, and not older than 30 days. */
export function isAlive({ created, last_active }: SessionRow, now: Date): boolean {
  return now.getTime() < Date.parse(last_active) + IDLE_MAX_MS &&
    now.getTime() < Date.parse(created) + SESSION_AGE_MAX_MS;
}

/**
 * Whether a recorded time needs no update. A time in the future is from a clock that was set back.
 */
export const isRecent = (time: string, now: Date): boolean =>
  Math.abs(now.getTime() - Date.parse(time)) < TOUCH_INTERVAL_MS;

/**
 * Records at intervals that a session is in use. A session revoked in the meantime stays revoked.
 */
export async function touchSession(kv: Store, entry: Deno.KvEntry<SessionRow>, now: Date) {
  const row = entry.value;
  if (isRecent(row.last_active, now)) return;
  const op = kv.atomic().check(entry);
  putSession(op, entry.key[1] as string, { ...row, last_active: now.toISOString() }, now);
  await op.commit();
}

/** Adds the removal of one session to `op`. */
export function removeSession(op: Atomic, userId: number, hash: string): void {
  op.delete(rowKeys.session(hash)).delete(rowKeys.sessionByUser(userId, hash));
}

/** Returns a user's valid sessions with their hashes, last used first. */
export async function listSessionRows(
  kv: Store,
  userId: number,
  now: Date,
): Promise<{ hash: string; row: SessionRow }[]> {
  const sessions: { hash: string; row: SessionRow }[] = [];
  for await (
    const { key } of kv.list({ prefix: rowKeys.sessionsByUser(userId) }, { limit: 1000 })
  ) {
    const hash = key[2] as string;
    const { value } = await kv.get<SessionRow>(rowKeys.session(hash));
    if (value && isAlive(value, now)) sessions.push({ hash, row: value });
  }
  return sessions.toSorted((a, b) => a.row.last_active < b.row.last_active ? 1 : -1);
}

/** Ends all of a user's sessions except `exceptHash`. */
export async function revokeSessions(kv: Store, userId: number, exceptHash?: string) {
  const hashes: string[] = [];
  for await (const { key } of kv.list({ prefix: rowKeys.sessionsByUser(userId) })) {
    hashes.push(key[2] as string);
  }
  const ended = hashes.filter((hash) => hash !== exceptHash);
  await writeAll(kv, ended, (op, hash) => removeSession(op, userId, hash));
}
