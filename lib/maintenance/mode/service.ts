import * as z from "zod";
import type { Actor } from "../../access/actor.ts";
import type { Deps } from "../../access/deps.ts";
import { type MaintenanceRow, phaseOf, readMaintenance } from "../../access/maintenance.ts";
import { follow } from "../../access/follow.ts";
import type { AdminScope, Scope, UserScope } from "../../access/scope.ts";
import { invalidField } from "../../base/errors.ts";
import { recordChange } from "../../events/record_change.ts";
import { jobKind } from "../../jobs/kind.ts";
import { putJob } from "../../jobs/put.ts";
import { worker } from "../../jobs/worker.ts";
import { rowKeys } from "../../store/keys.ts";
import { watchRows } from "../../store/watch.ts";
import { transact } from "../../store/transact.ts";
import type { Atomic } from "../../store/store.ts";
import { listOpenTasks } from "../../tasks/open_tasks.ts";
import { isActive } from "../../model/status.ts";
import { type MaintenanceForm, maintenanceVersion, type MaintenanceView } from "./schema.ts";

/** A script has no dispatcher of its own. Those of servers notice the change. */
type ModeDeps = Pick<Deps, "kv" | "clock"> & Partial<Pick<Deps, "wakeDispatcher">>;

/** An end that was planned. It may have been changed since. */
interface MaintenanceEnd {
  ends: string;
}

const maintenanceEnds = jobKind<MaintenanceEnd>({
  name: "maintenance_end",
  schema: z.object({ ends: z.iso.datetime() }),
  uniqueBy: () => "end",
});

/** Returns the maintenance of the server, and the number of tasks that it still waits for. */
export async function getMaintenance({ deps }: Scope<Actor, ModeDeps>): Promise<MaintenanceView> {
  const [row, open] = await Promise.all([readMaintenance(deps.kv), listOpenTasks(deps.kv)]);
  const state = phaseOf(row, deps.clock.now());
  const running = open.filter(({ status }) => isActive(status)).length;
  const about = state === "off" ? { message: "", begins: null, ends: null } : row!;
  return { state, ...about, running, drained: state === "on" && running === 0 };
}

/** Pause between two looks at the running tasks. */
const PAUSE_MS = 1_000;

/** Yields a version of what `getMaintenance` returns whenever that has changed since `version`. */
export function followMaintenance(
  scope: UserScope<ModeDeps & Pick<Deps, "log">>,
  version: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let sent = version;
  return follow({
    changes: watchRows(scope.deps, [rowKeys.maintenance(), rowKeys.tasksWake()], signal),
    async *read() {
      const now = maintenanceVersion(await getMaintenance(scope));
      if (now !== sent) yield (sent = now);
    },
    pauseMs: PAUSE_MS,
  }, signal);
}

/** Begins, plans or changes the maintenance of the server. */
export async function setMaintenance(
  { deps, actor }: AdminScope<ModeDeps>,
  { message, begins, ends }: MaintenanceForm,
): Promise<void> {
  const { kv, clock } = deps;
  const now = clock.now();
  if (ends !== null && Date.parse(ends) <= now.getTime()) {
    throw invalidField("ends", "errors.run_at_past");
  }
  await transact(kv, async (op) => {
    const entry = await kv.get<MaintenanceRow>(rowKeys.maintenance());
    const before = phaseOf(entry.value, now);
    // A change of what is in force does not begin it anew.
    const since = before === "on" && begins === null ? entry.value!.begins : now.toISOString();
    const row = { message, begins: begins ?? since, ends };
    op.check(entry).set(entry.key, row);
    if (ends !== null) putJob(op, deps, maintenanceEnds, { ends }, new Date(ends));
    moveQueue(op);
    const isPlanned = phaseOf(row, now) === "planned";
    const action = isPlanned ? "planned" : before === "on" ? "updated" : "begun";
    await record(op, deps, actor, action, { before: entry.value, after: row });
  });
}

/** Ends the maintenance of the server, or cancels it if it is only planned. */
export async function endMaintenance({ deps, actor }: AdminScope<ModeDeps>): Promise<void> {
  await remove(
    deps,
    actor,
    (row) => phaseOf(row, deps.clock.now()) === "planned" ? "cancelled" : "ended",
  );
}

/** Removes maintenance whose end has passed, and records that. */
export const maintenanceEndWorker = worker<MaintenanceEnd, Deps>({
  kind: maintenanceEnds,
  attempts: 20,
  waitsMs: [1_000, 60_000],
  limitMs: 60_000,
  parallel: 1,
  run: (deps, { input }) =>
    remove(deps, SERVER, ({ ends }) => ends === input.ends ? "expired" : null),
});

const SERVER: Actor = { kind: "server", id: 0, projectId: 0 };

/** Removes the row if there is one for which `actionOf` returns the action of its event. */
async function remove(
  deps: ModeDeps,
  actor: Actor,
  actionOf: (row: MaintenanceRow) => string | null,
): Promise<void> {
  await transact(deps.kv, async (op) => {
    const entry = await deps.kv.get<MaintenanceRow>(rowKeys.maintenance());
    const action = entry.value && actionOf(entry.value);
    if (!action) return;
    op.check(entry).delete(entry.key);
    moveQueue(op);
    await record(op, deps, actor, action, { before: entry.value, after: null });
  });
  deps.wakeDispatcher?.();
}

/** Wakes the queue of all servers, and lets claims that have not seen the change fail. */
function moveQueue(op: Atomic): void {
  op.set(rowKeys.dispatcherClaims(), 0).set(rowKeys.tasksWake(), 0);
}

async function record(
  op: Atomic,
  deps: ModeDeps,
  actor: Actor,
  action: string,
  states: Record<"before" | "after", MaintenanceRow | null>,
): Promise<void> {
  const about = { projectId: 0, object: "maintenance", id: 0, name: "" } as const;
  await recordChange(op, deps, actor, { ...about, action }, states);
}
