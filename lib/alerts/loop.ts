import { type Loop, startLoop } from "../background/loop.ts";
import { watchRows } from "../background/wake.ts";
import type { Deps } from "../deps.ts";
import { keys } from "../kv/keys.ts";
import { deliverDue } from "./deliver.ts";

/** Sends alerts as they are queued, on this server or another one that shares the store. */
export function startAlerts(deps: Deps): Pick<Loop, "stop"> {
  const { kv, log } = deps;
  const loop = startLoop({
    name: "alerts",
    log,
    step: async (stop) => await deliverDue(deps, stop) ?? Infinity,
  });
  const watching = watchRows(kv, [keys.alertsWake()], log, loop.wake);
  return {
    async stop() {
      await Promise.all([watching.cancel(), loop.stop()]);
    },
  };
}
