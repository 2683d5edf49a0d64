import { startDueLoop } from "../kv/due.ts";
import type { Loop } from "../base/loop.ts";
import type { Deps } from "../access/deps.ts";
import { rowKeys } from "../kv/keys.ts";
import { dueAlerts } from "./deliver.ts";

/** Sends queued alerts, on this server or another one that shares the store. */
export const startAlerts = (deps: Deps): Pick<Loop, "stop"> =>
  startDueLoop(deps, "alerts", rowKeys.alertsWake(), dueAlerts(deps));
