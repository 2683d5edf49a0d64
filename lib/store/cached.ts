import { memoryPart } from "./memory.ts";
import { getRecent } from "./rows/recent_rows.ts";
import type { Store } from "./store.ts";

/**
 * A cached value that was computed from rows, and the versions of their stamps before it was read.
 */
interface Cached {
  versions: string;
  made: Promise<unknown>;
  /** Characters of its name and, once it is computed, of its JSON. */
  length: number;
}

/** Cached values by name, least recently used first. */
const values = memoryPart("cached values", () => new Map<string, Cached>());
/** Maximum number of cached characters per server. A list of 500 templates takes a tenth of it. */
const CACHED_LENGTH_MAX = 8 * 1024 * 1024;
/** Maximum number of characters of one value. A longer one would displace most others. */
const VALUE_LENGTH_MAX = CACHED_LENGTH_MAX / 4;

/**
 * Returns the result of `make`, or the cached result for the same name if `stamps` have not changed
 * since. Stamps are rows that change in each commit that affects the result of `make`. They are
 * compared each time, so that changes by another server or a script take effect immediately. The
 * result is shared and must not be modified.
 */
export async function cachedWhile<T>(
  kv: Store,
  stamps: Deno.KvKey[],
  name: string,
  make: () => Promise<T>,
): Promise<T> {
  const cached = values.of(kv);
  // Read before `make` runs. If `make` reads newer rows, the result is computed once more.
  const versions = (await getRecent(kv, stamps)).map(({ versionstamp }) => versionstamp).join();
  const known = cached.get(name);
  const isKnown = known?.versions === versions;
  const current = isKnown ? known : { versions, made: make(), length: name.length };
  cached.delete(name);
  cached.set(name, current);
  if (isKnown) return await known.made as T;
  const forget = () => void (cached.get(name) === current && cached.delete(name));
  try {
    const made = await current.made as T;
    current.length += JSON.stringify(made, asList).length;
    if (current.length > VALUE_LENGTH_MAX) forget();
    return made;
  } catch (error) {
    forget();
    throw error;
  } finally {
    dropUnused(cached);
  }
}

/** Drops the least recently used values, so that frequently used ones stay. */
function dropUnused(cached: Map<string, Cached>): void {
  let total = 0;
  for (const { length } of cached.values()) total += length;
  for (const [name, { length }] of cached) {
    if (total <= CACHED_LENGTH_MAX) return;
    cached.delete(name);
    total -= length;
  }
}

/** Converts a Map to a list, because JSON.stringify would drop its entries. */
const asList = (_: string, value: unknown): unknown => value instanceof Map ? [...value] : value;
