import type { ProjectScope } from "@/lib/access/scope.ts";
import { onceFor } from "@/lib/base/once_for.ts";
import { readQueueOverview } from "@/lib/queue/overview.ts";
import { listStartedTasks } from "@/lib/tasks/service.ts";
import { listNextRuns } from "@/lib/triggers/schedules/next_runs.ts";

/** Failed tasks that are looked at, and schedules that are told of. */
const FAILED_MAX = 20;
const NEXT_RUNS = 5;

/** What matters now in a project, for whoever looks. */
export async function loadOverview(scope: ProjectScope) {
  const [queue, failed, nextRuns] = await Promise.all([
    readQueueOverview(scope),
    listStartedTasks(scope, { limit: FAILED_MAX, statuses: ["error"] }),
    listNextRuns(scope, NEXT_RUNS),
  ]);
  return { ...queue, failed: failed.tasks, nextRuns };
}

/** The same after something happened: read once for all who are told of it. */
export const overviewAfter = onceFor((_cause: object, scope: ProjectScope) => loadOverview(scope));
