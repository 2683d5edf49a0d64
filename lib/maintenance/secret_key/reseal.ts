import type { SecretBox } from "../../access/secret_box.ts";
import { expiryOf, type SessionRow } from "../../access/sessions.ts";
import { reveal } from "../../base/secret.ts";
import { CHUNK_BYTES, joinChunks, setChunks } from "../../store/rows/chunks.ts";
import type { Atomic, Store } from "../../store/store.ts";

/** The key that sealed values are moved from, and the one that they are sealed with again. */
export interface Boxes {
  from: SecretBox;
  to: SecretBox;
}

/** A row, or the rows of one long value, sealed with the other key. */
interface Resealed {
  /** Number of rows, of at most 64 KiB each. */
  rows: number;
  /** Adds the rows to `op`, which checks that they are unchanged. */
  add(op: Atomic): void;
}

/** Rows with what runs have printed and reported. They are most of a store, and never sealed. */
const NEVER_SEALED: ReadonlySet<Deno.KvKeyPart> = new Set([
  "task_log_chunks",
  "task_log_sections",
  "task_results",
]);

/** Sealed rows that expire within the hour. Storing them again would start their time anew. */
const SHORT_LIVED: ReadonlySet<Deno.KvKeyPart> = new Set(["sso_attempts", "kept_forms"]);

export const isShortLived = ({ key }: Deno.KvEntry<unknown>): boolean => SHORT_LIVED.has(key[0]);

/** Yields the rows behind `after`, or all for null, in which a sealed value may be. */
export async function* rowsAfter(
  kv: Store,
  after: Deno.KvKey | null,
): AsyncGenerator<Deno.KvEntry<unknown>> {
  let start = after && behind(after);
  for (;;) {
    const rows = kv.list(start ? { prefix: [], start } : { prefix: [] }, { batchSize: 100 });
    let skipped: Deno.KvKeyPart | null = null;
    for await (const entry of rows) {
      const [kind] = entry.key;
      if (NEVER_SEALED.has(kind)) {
        skipped = kind;
        break;
      }
      yield entry;
    }
    if (skipped === null) return;
    start = behind([skipped, true]);
  }
}

/** Returns the first possible key behind `key`: an empty part is before all others. */
const behind = (key: Deno.KvKey): Deno.KvKey => [...key, new Uint8Array()];

/**
 * Returns a row with a value that the key `from` has sealed; null for any other row. A value of
 * several rows is returned for the first of them.
 */
export async function reseal(
  kv: Store,
  boxes: Boxes,
  entry: Deno.KvEntry<unknown>,
  now: Date,
): Promise<Resealed | null> {
  const value = await resealValue(boxes, entry.value);
  if (value !== entry.value) {
    const isSession = entry.key[0] === "sessions";
    const expiry = isSession ? expiryOf(value as SessionRow, now) : {};
    return { rows: 1, add: (op) => void op.check(entry).set(entry.key, value, expiry) };
  }
  if (!(value instanceof Uint8Array) || value.length !== CHUNK_BYTES) return null;
  const entries = [entry, ...await rowsBehind(kv, entry.key)];
  const whole = joinChunks(entries.map(({ value }) => value as Uint8Array));
  const sealed = await resealBytes(boxes, whole);
  if (sealed === whole) return null;
  return {
    rows: entries.length,
    // The first row changes with the others. The value is as long as before, so it has as many.
    add: (op) => setChunks(op.check(entry), (n) => entries[n].key, sealed),
  };
}

/** Returns the rows that continue a long value: below its first row, or numbered after row 0. */
async function rowsBehind(kv: Store, key: Deno.KvKey): Promise<Deno.KvEntry<unknown>[]> {
  const selector = key.at(-1) === 0
    ? { prefix: key.slice(0, -1), start: [...key.slice(0, -1), 1] }
    : { prefix: key };
  const entries = await Array.fromAsync(kv.list(selector, { limit: LONG_VALUE_ROWS_MAX }));
  return entries.filter(({ value }) => value instanceof Uint8Array);
}

/** Rows behind the first one. A value has at most nine. */
const LONG_VALUE_ROWS_MAX = 8;

/** Returns the value with each sealed part sealed again, or the same value if there is none. */
async function resealValue(boxes: Boxes, value: unknown): Promise<unknown> {
  if (value instanceof Uint8Array) return await resealBytes(boxes, value);
  if (Array.isArray(value)) {
    const items = await Promise.all(value.map((item) => resealValue(boxes, item)));
    return items.some((item, n) => item !== value[n]) ? items : value;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  let changed: Record<string, unknown> | null = null;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member !== "object" || member === null) continue;
    const sealed = await resealValue(boxes, member);
    if (sealed !== member) changed = { ...(changed ?? value), [name]: sealed };
  }
  return changed ?? value;
}

/** A nonce of 12 bytes, and the tag of 16 bytes that authenticates even an empty text. */
const SEALED_BYTES_MIN = 28;

async function resealBytes({ from, to }: Boxes, bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes.length < SEALED_BYTES_MIN) return bytes;
  const opened = await from.open(bytes).catch(() => null);
  return opened ? await to.seal(reveal(opened, "reseal")) : bytes;
}
