import { getAll } from "./get_all.ts";
import { memoryPart } from "../memory.ts";
import type { Store } from "../store.ts";

type Entries = Promise<Deno.KvEntryMaybe<unknown>[]>;

/** Rows that were read since the latest commit of anyone, by the keys that were read together. */
const recent = memoryPart("recent_rows", () => ({
  version: -1,
  reads: new Map<string, Entries>(),
}));

/** A server without commits for a while forgets what it has read after so many reads. */
const READS_MAX = 1_000;

/**
 * Returns the rows of any number of keys as they are now. They are read only if something was
 * committed since they were last read, by whichever process. They are shared and must not be
 * modified.
 */
export function getRecent<Rows extends readonly unknown[]>(
  kv: Store,
  keys: readonly Deno.KvKey[],
): Promise<{ [N in keyof Rows]: Deno.KvEntryMaybe<Rows[N]> }> {
  type Found = Promise<{ [N in keyof Rows]: Deno.KvEntryMaybe<Rows[N]> }>;
  // Asked before the read begins, which then has at least what this version has.
  const version = kv.version();
  if (version === null) return getAll(kv, keys) as Found;
  const known = recent.of(kv);
  if (known.version !== version || known.reads.size >= READS_MAX) {
    known.version = version;
    known.reads.clear();
  }
  const name = JSON.stringify(keys);
  let entries = known.reads.get(name);
  if (!entries) {
    entries = getAll(kv, keys);
    known.reads.set(name, entries);
    entries.catch(() => known.reads.delete(name));
  }
  return entries as Found;
}
