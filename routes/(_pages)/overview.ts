import type { ProjectScope } from "@/lib/access/scope.ts";
import { onceFor } from "@/lib/base/once_for.ts";
import { readQueueOverview } from "@/lib/queue/overview.ts";
import { listStartedTasks } from "@/lib/tasks/service.ts";
import { listFailingSchedules } from "@/lib/triggers/schedules/failing.ts";
import { listNextRuns } from "@/lib/triggers/schedules/next_runs.ts";

/** Number of failed tasks to check, and of schedules to show. */
const FAILED_MAX = 20;
const NEXT_RUNS = 5;

/** Loads the current state of a project for its dashboard. */
export async function loadOverview(scope: ProjectScope) {
  const [queue, failed, failing, nextRuns] = await Promise.all([
    readQueueOverview(scope),
    listStartedTasks(scope, { limit: FAILED_MAX, statuses: ["error"] }),
    listFailingSchedules(scope),
    listNextRuns(scope, NEXT_RUNS),
  ]);
  return { ...queue, failed, failing, nextRuns };
}

/** Loads the overview after a change, once for all viewers. */
export const overviewAfter = onceFor((_cause: object, scope: ProjectScope) => loadOverview(scope));
