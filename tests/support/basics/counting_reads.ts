import type { Store } from "@/lib/store/store.ts";

/** Returns the store with a counter for reads of some kinds of rows, by default of results. */
export function countingReads(kv: Store, kinds: readonly string[] = ["task_results"]) {
  const read = { rows: 0 };
  const count = (key: Deno.KvKey) => void (kinds.includes(String(key[0])) && read.rows++);
  const counted = new Proxy(kv, {
    get(target, name) {
      if (name === "getMany") {
        return async (keys: Deno.KvKey[]) => {
          keys.forEach(count);
          return await target.getMany(keys);
        };
      }
      if (name === "list") {
        return async function* (...args: Parameters<Store["list"]>) {
          for await (const entry of target.list(...args)) {
            count(entry.key);
            yield entry;
          }
        };
      }
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { kv: counted as Store, read };
}
