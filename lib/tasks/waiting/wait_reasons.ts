import { missingApprovals } from "../../approvals/missing.ts";
import { plainReason, type Reason } from "../../base/reason.ts";
import { isQueued } from "../../model/status.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { readOpenTasks } from "../open_tasks.ts";
import { readReasons, type WaitDeps } from "./read_reasons.ts";
import type { Blocked } from "./startable.ts";
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
  const [blocked, missing] = await Promise.all([
    queued.length > 0 ? readBlocked(deps) : new Map<number, Blocked | null>(),
    missingApprovals(deps.kv, asked),
  ]);
  return new Map([
    ...queued.map(({ id }) => [id, plainReason(waitSentence(blocked.get(id) ?? null))] as const),
    ...asked.map(({ id }, n) => [id, plainReason(missing[n])] as const),
  ]);
}

/** Returns why each task of the queue waits. */
async function readBlocked(deps: WaitDeps): Promise<Map<number, Blocked | null>> {
  const open = await readOpenTasks(deps.kv);
  return await readReasons(deps, open, open.filter(({ status }) => isQueued(status)));
}
