import { describeError, type Log } from "../log.ts";

/** Calls `wake` whenever one of these rows is written, by this server or one that shares the store. */
export function watchRows(
  kv: Deno.Kv,
  rows: readonly Deno.KvKey[],
  log: Log,
  wake: () => void,
): { cancel(): Promise<void> } {
  const reader = kv.watch(rows).getReader();
  const follow = async () => {
    while (!(await reader.read()).done) wake();
  };
  const following = follow().catch((error) => log("error", "wake_lost", describeError(error)));
  return {
    async cancel() {
      await reader.cancel();
      await following;
    },
  };
}
