import { LIMITS } from "../limits.ts";

type Entries = Deno.KvEntryMaybe<unknown>[];

/** Keys of a caller, and how it gets their rows. */
interface Asked {
  keys: readonly Deno.KvKey[];
  resolve(entries: Entries): void;
  reject(error: unknown): void;
}

/** Reads of rows by key. */
interface Reads {
  get(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<unknown>>;
  getMany(keys: readonly Deno.KvKey[]): Promise<Entries>;
}

/**
 * Lets reads by key that begin at the same moment share a call. A KV Connect service spends more
 * time on a call than on the rows that it reads.
 */
export function gatherReads(kv: Pick<Deno.Kv, "get" | "getMany">): Reads {
  let asked: Asked[] = [];

  const readRows = async (keys: Deno.KvKey[]): Promise<Entries> =>
    keys.length === 1 ? [await kv.get(keys[0])] : await kv.getMany(keys);

  function read(some: Asked[]): void {
    readRows(some.flatMap(({ keys }) => keys)).then((entries) => {
      let from = 0;
      for (const { keys, resolve } of some) resolve(entries.slice(from, from += keys.length));
    }, (error) => {
      // A key that is too long fails its own caller only.
      if (some.length > 1) { for (const one of some) read([one]); }
      else some[0].reject(error);
    });
  }

  function readAll(): void {
    let [some, count]: [Asked[], number] = [[], 0];
    for (const one of asked) {
      if (count + one.keys.length > LIMITS.keysPerRead) {
        read(some);
        [some, count] = [[], 0];
      }
      some.push(one);
      count += one.keys.length;
    }
    asked = [];
    read(some);
  }

  const ask = (keys: readonly Deno.KvKey[]): Promise<Entries> =>
    new Promise((resolve, reject) => {
      if (asked.push({ keys, resolve, reject }) === 1) queueMicrotask(readAll);
    });

  return {
    get: async (key) => (await ask([key]))[0],
    getMany: (keys) =>
      keys.length > 0 && keys.length < LIMITS.keysPerRead ? ask(keys) : kv.getMany(keys),
  };
}
