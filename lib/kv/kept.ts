/** Something made of rows, and what their stamp was before they were read. */
interface Kept {
  versionstamp: string | null;
  made: Promise<unknown>;
}

/** What was made last, by name and store, longest unused first. */
const stores = new WeakMap<Deno.Kv, Map<string, Kept>>();
/** Pages of lists that clients ask for every few seconds; a page takes some 100 KiB. */
const KEPT_MAX = 16;
/** Characters as JSON. What is longer is not kept: tasks may have answers of 256 KiB each. */
const KEPT_LENGTH_MAX = 512 * 1024;

/**
 * What `make` gives, or gave for the same name when `stamp` was as it is now: a row that moves in
 * each commit that changes what `make` reads. It is asked for each time, so that what another server
 * or a script has changed counts at once. What comes back is shared: nobody may change it.
 */
export async function keptWhile<T>(
  kv: Deno.Kv,
  stamp: Deno.KvKey,
  name: string,
  make: () => Promise<T>,
): Promise<T> {
  const kept = stores.get(kv) ?? new Map<string, Kept>();
  stores.set(kv, kept);
  // Before `make` reads: what it reads may be newer than the stamp, and is then made once more.
  const { versionstamp } = await kv.get(stamp);
  const known = kept.get(name);
  const current = known?.versionstamp === versionstamp ? known : { versionstamp, made: make() };
  kept.delete(name);
  kept.set(name, current);
  for (const unused of kept.keys()) {
    if (kept.size <= KEPT_MAX) break;
    kept.delete(unused);
  }
  let isWorthIt = current === known;
  try {
    const made = await current.made as T;
    isWorthIt ||= JSON.stringify(made).length <= KEPT_LENGTH_MAX;
    return made;
  } finally {
    if (!isWorthIt && kept.get(name) === current) kept.delete(name);
  }
}
