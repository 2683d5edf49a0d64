import type { Deps } from "../../access/deps.ts";
import { maintenanceHold } from "../../access/maintenance.ts";
import type { ProjectRow } from "../../model/project_row.ts";
import { describeError } from "../../base/log.ts";
import { type DueList, startDueLoop } from "../../store/due.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Loop } from "../../store/loop.ts";
import { putWorkflowDue, type WorkflowDue } from "../../queue/outboxes/workflow_outbox.ts";
import { DELETING_MS, WAITS_MS } from "../../queue/outboxes/temporary.ts";
import type { RunRow } from "../run_schema.ts";
import { advanceRun } from "./advance.ts";
import { failRun } from "./end.ts";
import { timesOf } from "./observe.ts";

/** Number of runs that go on in parallel. */
const RUNS_PARALLEL_MAX = 4;
/** Failures after which a run is abandoned, after about eight minutes. */
const FAILURES_MAX = 10;

/** Lets runs of workflows go on, on this server or another one that shares the store. */
export const startWorkflows = (deps: Deps): Loop =>
  startDueLoop(deps, "workflows", rowKeys.workflowRunsWake(), dueRuns(deps), maintenanceHold(deps));

/** Returns the runs that may go on. */
export const dueRuns = (deps: Deps): DueList<WorkflowDue> => ({
  prefix: rowKeys.workflowRunsDue(),
  parallelMax: RUNS_PARALLEL_MAX,
  handle: (entry) => handle(deps, entry),
  put: putWorkflowDue,
  longestWait: ({ wait_ms }) => wait_ms,
});

/**
 * Lets a run go on as far as it can. The row of the outbox is deleted last, so that another server
 * continues if this one dies.
 */
async function handle(deps: Deps, entry: Deno.KvEntry<WorkflowDue>): Promise<void> {
  const { kv, clock } = deps;
  const { project_id: projectId, run_id: id, attempts } = entry.value;
  const key = rowKeys.workflowRun(projectId, id);
  const postpone = (waitMs: number, change: Partial<WorkflowDue> = {}) => {
    const op = kv.atomic().check(entry).delete(entry.key);
    const at = new Date(clock.now().getTime() + waitMs);
    putWorkflowDue(op, at, { ...entry.value, ...change, wait_ms: waitMs });
    return op.commit();
  };
  try {
    for (;;) {
      const [project, run] = await kv.getMany<[ProjectRow, RunRow]>([
        rowKeys.project(projectId),
        key,
      ]);
      if (project.value?.deleting) return void await postpone(DELETING_MS);
      if (run.value && run.value.end === null && await advanceRun(deps, run)) continue;
      const op = kv.atomic().check(run).delete(entry.key);
      const [next] = timesOf(run.value?.steps ?? {}).toSorted((a, b) => a - b);
      // Its time was set again, because the clock was set back.
      if (entry.value.wait_ms > 0 && next !== undefined) {
        const wait_ms = Math.max(0, next - clock.now().getTime());
        putWorkflowDue(op, new Date(next), { ...entry.value, wait_ms, attempts: 0 });
      }
      if ((await op.commit()).ok) return;
    }
  } catch (error) {
    deps.log("error", "workflow_failed", { run: id, ...describeError(error) });
    const failures = attempts + 1;
    if (failures >= FAILURES_MAX) await failRun(deps, entry.value);
    // The next attempt deletes the row if the run has ended.
    // The last wait is repeated.
    await postpone(WAITS_MS[Math.min(attempts, WAITS_MS.length - 1)], { attempts: failures });
  }
}
