import { phaseOf, readMaintenance } from "../../access/maintenance.ts";
import { missingApprovals } from "../../approvals/missing.ts";
import { plainReason, type Reason } from "../../base/reason.ts";
import { isQueued } from "../../model/status.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { cachedWhile } from "../../store/cached.ts";
import { rowKeys } from "../../store/keys.ts";
import { readOpenTasks } from "../open_tasks.ts";
import { readReasons, type WaitDeps } from "./read_reasons.ts";
import { waitSentence } from "./wait_sentence.ts";

/**
 * Returns why those of the tasks wait that are in the queue or need an approval, by their ids. The
 * others cost no read.
 */
export async function waitReasons(
  deps: WaitDeps,
  tasks: readonly TaskRow[],
): Promise<Map<number, Reason>> {
  const queued = tasks.filter(({ status }) => isQueued(status));
  const asked = tasks.flatMap(({ id, project_id, status, approval }) =>
    status === "waiting_confirmation" && approval ? [{ id, project_id, ...approval }] : []
  );
  const [reasons, missing] = await Promise.all([
    queued.length > 0 ? queueReasons(deps) : new Map<number, Reason>(),
    missingApprovals(deps.kv, asked),
  ]);
  return new Map([
    ...queued.map(({ id }) => [id, reasons.get(id) ?? plainReason(waitSentence(null))] as const),
    ...asked.map(({ id }, n) => [id, plainReason(missing[n])] as const),
  ]);
}

/** Returns why each task of the queue waits, read once per change of the queue for all callers. */
async function queueReasons(deps: WaitDeps): Promise<ReadonlyMap<number, Reason>> {
  const { kv, clock } = deps;
  // Maintenance begins and ends by the clock, without a change of a row.
  const phase = phaseOf(await readMaintenance(kv), clock.now());
  return await cachedWhile(kv, [rowKeys.tasksWake()], `queue reasons ${phase}`, async () => {
    const open = await readOpenTasks(kv);
    const queued = open.filter(({ status }) => isQueued(status));
    const blocked = await readReasons(deps, open, queued);
    return new Map(
      queued.map(({ id }) => [id, plainReason(waitSentence(blocked.get(id) ?? null))] as const),
    );
  });
}
