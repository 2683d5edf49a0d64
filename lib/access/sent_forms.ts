import { AppError } from "../base/errors.ts";
import { digest } from "../base/version.ts";
import { rowKeys } from "../store/keys.ts";
import type { Atomic, Store } from "../store/store.ts";
import { userIdOf } from "./actor.ts";
import type { ProjectScope } from "./scope.ts";

/** Time within which the same form was sent by one click. Later, a person went back to it. */
const ONE_CLICK_MS = 30_000;
/** Time for which an `Idempotency-Key` is known. */
const KEY_LIFE_MS = 24 * 60 * 60_000;
/** Maximum number of keys of one caller in that time. */
const KEYS_MAX = 2_000;
const KEYS_RETRY_SECONDS = 3_600;

/** Object that a request has made. */
interface Made {
  id: number;
  at: number;
  /** Digest of what was sent, if the key of the row does not contain it. */
  sent?: string;
}

/** A request that may come again, and must make only one object. */
interface Repeatable {
  key: Deno.KvKey;
  lifeMs: number;
  sent?: string;
}

/** Adds to the commit of what a request makes. */
type Also = (op: Atomic, made: { id: number }) => Promise<void>;

/** The same request has made something before. */
class SentBefore extends Error {
  override name = "SentBefore";
  constructor(readonly id: number) {
    super();
  }
}

/**
 * Makes something by a form. A form that is sent twice with the same values, as by a double click,
 * makes it once, if `values` include those of `newOnce`. `make` calls its parameter in the commit
 * that stores what it makes. Returns its id.
 */
export async function makeOnce(
  scope: ProjectScope,
  what: string,
  values: Readonly<Record<string, string>>,
  make: (also: Also) => Promise<{ id: number }>,
): Promise<number> {
  if (!values.once) return (await make(() => Promise.resolve())).id;
  const hash = digest(JSON.stringify([what, values]), 32);
  const key = rowKeys.sentForm(userIdOf(scope.actor) ?? 0, hash);
  const form = { key, lifeMs: ONE_CLICK_MS };
  return (await makeUnlessMade(scope, form, make, (id) => Promise.resolve({ id }))).id;
}

/** A call with an `Idempotency-Key`. */
export interface KeyedCall {
  /** The key; null if the client sent none. */
  key: string | null;
  /** Text that differs for each other call and body. */
  sent(): string;
}

/**
 * Makes something by a call of the API. A call that comes again with its key within 24 hours makes
 * nothing, and returns what `get` reads of the first one. `make` is as in `makeOnce`. Throws 422
 * for another call with the same key, and 429 for too many keys.
 */
export async function makeOnceByKey<Value extends { id: number }>(
  scope: ProjectScope,
  { key, sent }: KeyedCall,
  make: (also: Also) => Promise<Value>,
  get: (id: number) => Promise<Value>,
): Promise<Value> {
  if (key === null) return await make(() => Promise.resolve());
  const { deps: { kv }, actor } = scope;
  const userId = userIdOf(actor) ?? 0;
  const call = {
    key: rowKeys.keyedCall(userId, digest(key, 32)),
    lifeMs: KEY_LIFE_MS,
    // With the key, which is not stored, because the body may have secrets.
    sent: digest(JSON.stringify([key, sent()]), 32),
  };
  const { made } = await readMade(scope, call);
  if (made) return await get(made.id);
  await requireRoomForKey(kv, userId);
  return await makeUnlessMade(scope, call, make, get);
}

async function requireRoomForKey(kv: Store, userId: number): Promise<void> {
  const rows = kv.list({ prefix: rowKeys.keyedCalls(userId) }, { limit: KEYS_MAX, batchSize: 500 });
  if ((await Array.fromAsync(rows)).length < KEYS_MAX) return;
  throw new AppError(429, "errors.call_keys_full", { max: KEYS_MAX }, {
    headers: { "Retry-After": String(KEYS_RETRY_SECONDS) },
  });
}

/** Returns what `make` makes, or what `get` reads of the object that the same request has made. */
async function makeUnlessMade<Value>(
  scope: ProjectScope,
  request: Repeatable,
  make: (also: Also) => Promise<Value>,
  get: (id: number) => Promise<Value>,
): Promise<Value> {
  const { key, lifeMs, sent } = request;
  const at = scope.deps.clock.now().getTime();
  try {
    return await make(async (op, { id }) => {
      const { entry, made } = await readMade(scope, request);
      if (made) throw new SentBefore(made.id);
      op.check(entry).set(key, { id, at, ...sent && { sent } }, { expireIn: lifeMs });
    });
  } catch (error) {
    if (error instanceof SentBefore) return await get(error.id);
    throw error;
  }
}

/** Returns what a request has made, with its entry. Throws 422 if it was another request. */
async function readMade(
  { deps: { kv, clock } }: ProjectScope,
  { key, lifeMs, sent }: Repeatable,
): Promise<{ entry: Deno.KvEntryMaybe<Made>; made: Made | null }> {
  const entry = await kv.get<Made>(key);
  const isOld = entry.value === null || clock.now().getTime() - entry.value.at >= lifeMs;
  if (isOld) return { entry, made: null };
  if (entry.value.sent !== sent) throw new AppError(422, "errors.call_key_used");
  return { entry, made: entry.value };
}
