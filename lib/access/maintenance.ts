/**
 * Maintenance is one row that all servers obey. An administrator wants a server at rest before a
 * backup, a move or an upgrade: nothing is changed, nothing starts, and what runs finishes. Its
 * phase is computed from the clock, so no server has to act at the right moment.
 *
 * - Read only is one gate in the middleware of pages and calls. Whatever is not a read is 503, for
 *   administrators too: else the copy would not be at rest. One table lists the exceptions, and
 *   `maintenance_test` asks every operation. Refusing in each use case would be several hundred
 *   places.
 * - Drained is one reason more for which a task waits. The change of the row moves the row that
 *   each claim checks. Work that starts something has a `hold`. Work that ends or reports something
 *   goes on.
 * - Maintenance with an end ends automatically: a forgotten one would stop all automation.
 *
 * A flag of each process was rejected: servers would differ, and a restart would lose it. Runs of
 * workflows cannot be stopped meanwhile, their tasks can.
 */

import { isShared } from "../base/settings/config.ts";
import type { Config } from "../base/settings/config.ts";
import { rowKeys } from "../store/keys.ts";
import type { LoopHold } from "../store/loop.ts";
import type { Store } from "../store/store.ts";

/** Maintenance as it is stored, from its announcement to its end. */
export interface MaintenanceRow {
  /** Text for all users, in the words of the administrator; may be empty. */
  message: string;
  /** Times in ISO 8601 in UTC. Null means that it ends only by hand. */
  begins: string;
  ends: string | null;
}

/**
 * `planned`: announced, everything works. `on`: the server is read only and starts no tasks. One
 * whose end has passed is off.
 */
type MaintenancePhase = "off" | "planned" | "on";

interface MaintenanceDeps {
  kv: Store;
  clock: { now(): Date };
}

export const readMaintenance = async (kv: Store): Promise<MaintenanceRow | null> =>
  (await kv.get<MaintenanceRow>(rowKeys.maintenance())).value;

export function phaseOf(row: MaintenanceRow | null, now: Date): MaintenancePhase {
  if (!row || row.ends !== null && Date.parse(row.ends) <= now.getTime()) return "off";
  return Date.parse(row.begins) > now.getTime() ? "planned" : "on";
}

/** Milliseconds until work may start again; 0 if it may start now, Infinity without a known end. */
export function msUntilEnd(row: MaintenanceRow | null, now: Date): number {
  if (phaseOf(row, now) !== "on") return 0;
  return row!.ends === null ? Infinity : Date.parse(row!.ends) - now.getTime();
}

/** A command can end maintenance in the file of a running server, which then gets no event. */
const LOOK_MS = 5_000;

/** Holds loops that start something new while the server is in maintenance. */
export const maintenanceHold = (
  { kv, clock, config }: MaintenanceDeps & { config: Pick<Config, "kv"> },
): LoopHold => ({
  row: rowKeys.maintenance(),
  async waitMs() {
    const heldMs = msUntilEnd(await readMaintenance(kv), clock.now());
    return isShared(config) ? heldMs : Math.min(heldMs, LOOK_MS);
  },
});
