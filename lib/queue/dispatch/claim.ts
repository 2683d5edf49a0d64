import type { Deps } from "../../access/deps.ts";
import { describeError } from "../../base/log.ts";
import { rowKeys } from "../../store/keys.ts";
import { isStoreFull } from "../../store/file/patience.ts";
import { orOvertaken, OVERTAKEN } from "../../store/transact.ts";
import { taskChanged } from "../../tasks/changes.ts";
import { addStep } from "../../tasks/steps.ts";
import { type OpenTask, repairQueueRow } from "../../tasks/open_tasks.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { endAbandoned, FAILED } from "../ending/interrupt.ts";
import { type ClaimTerms, newLease } from "../leases/leases.ts";
import { claimForRunner } from "../remote/claim.ts";
import type { HeldPoll } from "../remote/polls.ts";
import type { Remote } from "../remote/remote.ts";
import type { Runs } from "../running/runs.ts";
import { judge, readLimits } from "../../tasks/waiting/startable.ts";
import { NOW_MS, RETRY_MS, WHEN_WOKEN } from "../leases/waits.ts";

/** Number of claims of one task that may fail with an error before the task is ended. */
const CLAIMS_MAX = 3;

/**
 * Returns a function that claims the queued tasks of `open` that may start, here or on runners that
 * poll here, and starts them. It resolves to the time until the next look at the queue.
 * `guardStamp` is the version of the row that each claim changes, read before `open`.
 */
export function createClaimer(
  deps: Deps,
  owner: string,
  runs: Runs,
  { polls, renewals }: Pick<Remote, "polls" | "renewals">,
): (open: OpenTask[], guardStamp: string | null, stop: AbortSignal) => Promise<number> {
  /** Number of failed claims by task id. */
  const failures = new Map<number, number>();

  /** Counts a failure. One task must not block the others, nor be tried forever. */
  async function claimFailed(task: OpenTask, error: unknown): Promise<number> {
    deps.log("error", "claim_failed", { task: task.id, ...describeError(error) });
    const count = (failures.get(task.id) ?? 0) + 1;
    failures.set(task.id, count);
    return count < CLAIMS_MAX ? RETRY_MS : await endAbandoned(deps, task, FAILED);
  }

  const here = (): ClaimTerms => ({
    lease: newLease(deps, owner),
    change: { ansible_version: deps.ansibleVersion?.split("\n")[0] },
  });

  /** Lets a runner that polls have its task, which it gets with the answer. */
  function begin(poll: HeldPoll, task: TaskRow) {
    poll.isTaken = true;
    renewals.set(task.id, deps.clock.ticks());
    taskChanged(deps, task);
    poll.bell.ring();
  }

  return async (open, guardStamp, stop) => {
    let [stamp, wait] = [guardStamp, WHEN_WOKEN];
    const { maxParallelTasks } = deps.config;
    const free = maxParallelTasks === 0 ? Infinity : maxParallelTasks - runs.size;
    const { offersMade } = polls;
    const offers = polls.offers();
    const limits = await readLimits(deps, open, new Set(offers.keys()));
    const verdicts = judge(inTurn(failures, open), limits, free);
    polls.isAwaited = verdicts.some(({ blocked }) => blocked?.by === "runner");
    for (const { task, blocked, runner } of verdicts) {
      if (blocked) continue;
      if (stop.aborted) break;
      try {
        const poll = runner === null ? null : offers.get(runner)!;
        const claimed = await claim(deps, task, poll ? claimForRunner(deps, poll) : here(), stamp);
        if (!claimed) {
          // Another claim was faster, here or on another server.
          await repairQueueRow(deps.kv, task);
          return NOW_MS;
        }
        stamp = claimed.versionstamp;
        if (poll) begin(poll, claimed.task);
        else runs.start(claimed.task);
      } catch (error) {
        // No task could start. All of them keep their place until there is space.
        if (isStoreFull(error)) return RETRY_MS;
        wait = Math.min(wait, await claimFailed(task, error));
      }
    }
    // A poll that came after `offers` was read did not wake the queue.
    return polls.isAwaited && polls.offersMade > offersMade ? NOW_MS : wait;
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
 * Claims the task. Returns null if the task changed, or any other claim happened, in between.
 */
async function claim(
  { kv, clock }: Deps,
  open: OpenTask,
  { lease, change, also }: ClaimTerms,
  guardStamp: string | null,
): Promise<{ task: TaskRow; versionstamp: string } | null> {
  const op = kv.atomic()
    .check({ key: rowKeys.dispatcherClaims(), versionstamp: guardStamp })
    .set(rowKeys.dispatcherClaims(), open.id);
  const start = clock.now().toISOString();
  // The task may have been deleted or have left the queue.
  const task = await orOvertaken(addStep(kv, op, open, () => ({
    to: "starting",
    change: { start, ...change },
    lease,
    records: { clock, action: "starting" },
    also,
  })));
  if (task === OVERTAKEN) return null;
  const committed = await op.commit();
  return committed.ok ? { task, versionstamp: committed.versionstamp } : null;
}
