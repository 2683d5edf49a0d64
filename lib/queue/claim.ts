import type { Deps } from "../access/deps.ts";
import { describeError } from "../base/log.ts";
import { recordEvent } from "../events/record.ts";
import { rowKeys } from "../kv/keys.ts";
import { orOvertaken, OVERTAKEN } from "../kv/transact.ts";
import { systemActor, taskEvent } from "../tasks/changes.ts";
import { addStep } from "../tasks/steps.ts";
import { type OpenTask, repairQueueRow } from "../tasks/open_tasks.ts";
import type { TaskRow } from "../tasks/schema.ts";
import { endAbandoned } from "./interrupt.ts";
import { newLease } from "./leases.ts";
import type { Runs } from "./runs.ts";
import { readLimits, startable } from "./startable.ts";
import { NOW_MS, RETRY_MS, WHEN_WOKEN } from "./waits.ts";

/** Number of claims of one task that may fail with an error before the task is ended. */
const CLAIMS_MAX = 3;

/**
 * Returns a function that claims and starts the queued tasks of `open` that may start. It resolves
 * to the time until the next look at the queue. `guardStamp` is the version of the row that each
 * claim changes, read before `open`.
 */
export function createClaimer(
  deps: Deps,
  owner: string,
  runs: Runs,
): (open: OpenTask[], guardStamp: string | null, stop: AbortSignal) => Promise<number> {
  /** Number of failed claims by task id. */
  const failures = new Map<number, number>();

  /** Counts a failure. One task must not block the others, nor be tried forever. */
  async function claimFailed(task: OpenTask, error: unknown): Promise<number> {
    deps.log("error", "claim_failed", { task: task.id, ...describeError(error) });
    const count = (failures.get(task.id) ?? 0) + 1;
    failures.set(task.id, count);
    return count < CLAIMS_MAX ? RETRY_MS : await endAbandoned(deps, task, "error");
  }

  return async (open, guardStamp, stop) => {
    let [stamp, wait] = [guardStamp, WHEN_WOKEN];
    const { maxParallelTasks } = deps.config;
    const free = maxParallelTasks === 0 ? Infinity : maxParallelTasks - runs.size;
    for (const task of startable(inTurn(failures, open), await readLimits(deps.kv, open), free)) {
      if (stop.aborted) break;
      try {
        const claimed = await claim(deps, task, newLease(deps, owner), stamp);
        if (!claimed) {
          // Another claim was faster, here or on another server.
          await repairQueueRow(deps.kv, task);
          return NOW_MS;
        }
        stamp = claimed.versionstamp;
        runs.start(claimed.task);
      } catch (error) {
        wait = Math.min(wait, await claimFailed(task, error));
      }
    }
    return wait;
  };
}

/**
 * Returns the tasks oldest first, with failed ones last so that they do not take the slots of
 * others.
 */
function inTurn(failures: Map<number, number>, open: OpenTask[]): OpenTask[] {
  const ids = new Set(open.map(({ id }) => id));
  for (const id of failures.keys()) if (!ids.has(id)) failures.delete(id);
  const failed = ({ id }: OpenTask) => failures.get(id) ?? 0;
  return open.toSorted((a, b) => failed(a) - failed(b));
}

/**
 * Claims the task for this server. Returns null if the task changed, or any other claim happened,
 * in between.
 */
async function claim(
  { kv, clock, ansibleVersion }: Deps,
  open: OpenTask,
  lease: NonNullable<OpenTask["lease"]>,
  guardStamp: string | null,
): Promise<{ task: TaskRow; versionstamp: string } | null> {
  const op = kv.atomic()
    .check({ key: rowKeys.dispatcherClaims(), versionstamp: guardStamp })
    .set(rowKeys.dispatcherClaims(), open.id);
  const start = clock.now().toISOString();
  const ansible_version = ansibleVersion?.split("\n")[0];
  // The task may have been deleted or have left the queue.
  const task = await orOvertaken(addStep(kv, op, open, () => ({
    to: "starting",
    change: { start, ansible_version },
    lease,
    also: (op, next) => recordEvent(op, { clock }, systemActor(next), taskEvent(next, "starting")),
  })));
  if (task === OVERTAKEN) return null;
  const committed = await op.commit();
  return committed.ok ? { task, versionstamp: committed.versionstamp } : null;
}
