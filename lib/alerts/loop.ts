import { type Loop, startLoop } from "../background/loop.ts";
import type { Deps } from "../deps.ts";
import { keys } from "../kv/keys.ts";
import { describeError } from "../log.ts";
import { deliverDue } from "./deliver.ts";

/** Sends alerts as they are queued, on this server or another one that shares the store. */
export function startAlerts(deps: Deps): Pick<Loop, "stop"> {
  const { kv, log } = deps;
  const loop = startLoop({
    name: "alerts",
    log,
    step: async (stop) => await deliverDue(deps, stop) ?? Infinity,
  });
  const watcher = kv.watch([keys.alertsWake()]).getReader();
  const watch = async () => {
    while (!(await watcher.read()).done) loop.wake();
  };
  const watching = watch().catch((error) => log("error", "wake_lost", describeError(error)));
  return {
    async stop() {
      await watcher.cancel();
      await Promise.all([loop.stop(), watching]);
    },
  };
}
