import type { Store } from "@/lib/store/store.ts";

/** Counts from now on how often a store's queue is read. */
export function countLooks(kv: Store): () => number {
  let looks = 0;
  const { list } = kv;
  kv.list = (...args: Parameters<typeof list>) => {
    if ("prefix" in args[0] && args[0].prefix[0] === "open_tasks") looks++;
    return list.apply(kv, args) as never;
  };
  return () => looks;
}
