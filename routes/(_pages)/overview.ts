import type { ProjectScope } from "@/lib/access/scope.ts";
import { onceForSeen } from "@/lib/access/seen/once_for_seen.ts";
import { readQueueOverview } from "@/lib/queue/waiting/overview.ts";
import { listStartedTasks } from "@/lib/tasks/service.ts";
import { listFailingSchedules } from "@/lib/triggers/schedules/failing.ts";
import { countOpenRuns, listProjectRuns } from "@/lib/workflows/runs/history.ts";
import { listNextRuns } from "@/lib/triggers/schedules/next_runs.ts";

/** Number of failed tasks and runs to check, and of schedules to show. */
const FAILED_MAX = 20;
const NEXT_RUNS = 5;
/** Number of open runs of workflows to show. */
const RUNS = 5;

/** Loads the current state of a project for its dashboard. */
export async function loadOverview(scope: ProjectScope) {
  const [queue, failed, failing, nextRuns, open, openCount, failedRuns] = await Promise.all([
    readQueueOverview(scope),
    listStartedTasks(scope, { limit: FAILED_MAX, statuses: ["error"] }),
    listFailingSchedules(scope),
    listNextRuns(scope, NEXT_RUNS),
    listProjectRuns(scope, { limit: RUNS, statuses: ["running", "approval"] }),
    countOpenRuns(scope),
    listProjectRuns(scope, { limit: FAILED_MAX, statuses: ["failed"] }),
  ]);
  const runs = { open: open.runs, count: openCount, failed: failedRuns.runs };
  return { ...queue, failed, failing, nextRuns, runs };
}

/** Loads the overview after a change, once for all viewers who see the same. */
export const overviewAfter = onceForSeen(
  (_cause: object, scope: ProjectScope) => loadOverview(scope),
);
