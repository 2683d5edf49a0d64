/** Something made of rows, and what their stamps were before they were read. */
interface Kept {
  versions: string;
  made: Promise<unknown>;
  /** Characters of its name and, once it is made, of it as JSON. */
  length: number;
}

/** What was made last, by name and store, longest unused first. */
const stores = new WeakMap<Deno.Kv, Map<string, Kept>>();
/** Characters of all that is kept for a store; a list of 500 templates takes a fifth of it. */
const KEPT_LENGTH_MAX = 4 * 1024 * 1024;

/**
 * What `make` gives, or gave for the same name when `stamps` were as they are now: rows that move in
 * each commit that changes what `make` reads. They are asked for each time, so that what another
 * server or a script has changed counts at once. What comes back is shared: nobody may change it.
 */
export async function keptWhile<T>(
  kv: Deno.Kv,
  stamps: Deno.KvKey[],
  name: string,
  make: () => Promise<T>,
): Promise<T> {
  const kept = stores.get(kv) ?? new Map<string, Kept>();
  stores.set(kv, kept);
  // Before `make` reads: what it reads may be newer than the stamps, and is then made once more.
  const versions = (await kv.getMany(stamps)).map(({ versionstamp }) => versionstamp).join();
  const known = kept.get(name);
  const isKnown = known?.versions === versions;
  const current = isKnown ? known : { versions, made: make(), length: name.length };
  kept.delete(name);
  kept.set(name, current);
  if (isKnown) return await known.made as T;
  try {
    const made = await current.made as T;
    current.length += JSON.stringify(made, asList).length;
    return made;
  } catch (error) {
    if (kept.get(name) === current) kept.delete(name);
    throw error;
  } finally {
    dropUnused(kept);
  }
}

/** Nothing of what is asked for all the time is lost, unless it is too long by itself. */
function dropUnused(kept: Map<string, Kept>): void {
  let total = 0;
  for (const { length } of kept.values()) total += length;
  for (const [name, { length }] of kept) {
    if (total <= KEPT_LENGTH_MAX) return;
    kept.delete(name);
    total -= length;
  }
}

/** Of a map JSON has nothing by itself. */
const asList = (_: string, value: unknown): unknown => value instanceof Map ? [...value] : value;
