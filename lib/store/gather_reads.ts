/** KV reads at most this many rows by key in one call. */
export const KEYS_MAX = 10;

type Entries = Deno.KvEntryMaybe<unknown>[];

/** Keys of a caller, and how it gets their rows. */
interface Asked {
  keys: readonly Deno.KvKey[];
  resolve(entries: Entries): void;
  reject(error: unknown): void;
}

/**
 * Lets reads by key that begin at the same moment share a call. A KV Connect service spends more
 * time on a call than on the rows that it reads.
 */
export function gatherReads(kv: Deno.Kv): void {
  const get = kv.get.bind(kv);
  const getMany = kv.getMany.bind(kv) as (keys: readonly Deno.KvKey[]) => Promise<Entries>;
  let asked: Asked[] = [];

  const readRows = async (keys: Deno.KvKey[]): Promise<Entries> =>
    keys.length === 1 ? [await get(keys[0])] : await getMany(keys);

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
      if (count + one.keys.length > KEYS_MAX) {
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

  kv.get = (async (key: Deno.KvKey) => (await ask([key]))[0]) as Deno.Kv["get"];
  kv.getMany =
    ((keys: readonly Deno.KvKey[]) =>
      keys.length > 0 && keys.length < KEYS_MAX ? ask(keys) : getMany(keys)) as Deno.Kv["getMany"];
}
