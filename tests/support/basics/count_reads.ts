import type { Store } from "@/lib/store/store.ts";

/** Counts the rows that are read from a store until `end`. */
export function countReads(kv: Store) {
  const { get, getMany, list } = kv;
  let rows = 0;
  kv.get = (...args) => (rows++, get.apply(kv, args)) as never;
  kv.getMany = (...args) => (rows += args[0].length, getMany.apply(kv, args)) as never;
  kv.list = ((...args: Parameters<Store["list"]>) =>
    (async function* () {
      for await (const entry of list.apply(kv, args)) {
        rows++;
        yield entry;
      }
    })()) as never;
  return {
    end() {
      Object.assign(kv, { get, getMany, list });
      return rows;
    },
  };
}
