import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from "jose";
import type { Deps } from "../access/deps.ts";
import { rowKeys } from "../store/keys.ts";
import { OVERTAKEN, retryOvertaken } from "../store/transact.ts";
import type { Atomic } from "../store/store.ts";

type KeyDeps = Pick<Deps, "kv" | "clock" | "secrets">;

export const ALGORITHM = "ES256";

/** A key that signs identities of tasks. */
interface SigningKey {
  /** Thumbprint of the public key. */
  kid: string;
  public_jwk: JWK;
  /** JSON of the private key. */
  sealed: Uint8Array;
  created: string;
  /** From this time on, the latest key signs. Verifiers that cache keys know it by then. */
  signs_from: string;
}

interface KeyRingRow {
  /** The oldest first. */
  keys: SigningKey[];
}

const DAY_MS = 24 * 60 * 60_000;
/** Time between the first signatures of a key and of the next one. */
const ROTATION_MS = 30 * DAY_MS;
/** A key is published this long before its first signature and after its last one. */
const OVERLAP_MS = DAY_MS;

/** Returns the published keys, oldest first. Creates the first key, and the next one when due. */
export const readKeys = (deps: KeyDeps): Promise<SigningKey[]> =>
  retryOvertaken(async () => {
    const now = deps.clock.now().getTime();
    const entry = await deps.kv.get<KeyRingRow>(rowKeys.identityKeys());
    const keys = publishedAt(entry.value?.keys ?? [], now);
    if (!needsNext(keys, now)) return keys;
    const next = await newKey(deps, keys.length === 0 ? now : now + OVERLAP_MS);
    const row: KeyRingRow = { keys: [...keys, next] };
    const committed = await deps.kv.atomic().check(entry).set(entry.key, row).commit();
    return committed.ok ? row.keys : OVERTAKEN;
  });

/** Adds to `op` that a new key replaces all others. What they have signed is no longer valid. */
export async function replaceKeys(deps: KeyDeps, op: Atomic): Promise<void> {
  const row: KeyRingRow = { keys: [await newKey(deps, deps.clock.now().getTime())] };
  op.set(rowKeys.identityKeys(), row);
}

/** Returns the key that signs at a time. After the clock was set back, it is the oldest one. */
export const signingKey = (keys: SigningKey[], now: number): SigningKey =>
  keys.findLast(({ signs_from }) => Date.parse(signs_from) <= now) ?? keys[0];

/** Returns the keys without those whose last signature was too long ago. */
const publishedAt = (keys: SigningKey[], now: number): SigningKey[] =>
  keys.filter((_, n) => !(n + 1 < keys.length && endOf(keys, n) <= now));

const endOf = (keys: SigningKey[], n: number): number =>
  Date.parse(keys[n + 1].signs_from) + OVERLAP_MS;

/** Whether the latest key needs a successor, or was created by a clock that was far ahead. */
function needsNext(keys: SigningKey[], now: number): boolean {
  const latest = keys.at(-1);
  return !latest || Math.abs(now - Date.parse(latest.signs_from)) >= ROTATION_MS - OVERLAP_MS;
}

async function newKey({ clock, secrets }: KeyDeps, signsFrom: number): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const public_jwk = await exportJWK(publicKey);
  return {
    kid: await calculateJwkThumbprint(public_jwk),
    public_jwk,
    sealed: await secrets.seal(JSON.stringify(await exportJWK(privateKey))),
    created: clock.now().toISOString(),
    signs_from: new Date(signsFrom).toISOString(),
  };
}
