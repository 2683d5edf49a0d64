import { watchClock } from "../background/clock.ts";
import { type Loop, startLoop } from "../background/loop.ts";
import type { Deps } from "../deps.ts";
import { keys } from "../kv/keys.ts";
import { onChange } from "../kv/watch.ts";
import { deliverDue, pullForward } from "./deliver.ts";

/** Sends alerts as they are queued, on this server or another one that shares the store. */
export function startAlerts(deps: Deps): Pick<Loop, "stop"> {
  const isSetBack = watchClock(deps.clock);
  const loop = startLoop({
    name: "alerts",
    log: deps.log,
    async step(stop) {
      if (isSetBack()) await pullForward(deps);
      return await deliverDue(deps, stop) ?? Infinity;
    },
  });
  const watching = onChange(deps, [keys.alertsWake()], loop.wake);
  return {
    async stop() {
      await Promise.all([watching.cancel(), loop.stop()]);
    },
  };
}
