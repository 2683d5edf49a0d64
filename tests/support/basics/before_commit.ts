import type { Atomic, Store } from "@/lib/store/store.ts";

/** Does `work` once, right before the first commit that sets or deletes a row of a kind. */
export function beforeCommit(
  kv: Store,
  method: "set" | "delete",
  kind: string,
  work: () => Promise<unknown>,
) {
  const atomic = kv.atomic.bind(kv);
  let done = false;
  kv.atomic = () => {
    const op = atomic();
    const commit = op.commit.bind(op);
    const change = op[method].bind(op) as (
      ...args: [Deno.KvKey, ...unknown[]]
    ) => Atomic;
    let isMeant = false;
    op[method] = (...args: [Deno.KvKey, ...unknown[]]) => {
      isMeant ||= args[0][0] === kind;
      return change(...args);
    };
    op.commit = async () => {
      if (isMeant && !done) {
        done = true;
        await work();
      }
      return await commit();
    };
    return op;
  };
  return { happened: () => done };
}
