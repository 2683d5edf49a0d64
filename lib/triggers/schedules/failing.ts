import type { ProjectScope } from "../../access/scope.ts";
import { sightOf } from "../../access/sight.ts";
import type { Sentence } from "../../base/errors.ts";
import { cachedWhile } from "../../store/cached.ts";
import { getAll } from "../../store/rows/get_all.ts";
import { rowKeys } from "../../store/keys.ts";
import { type StartedTask, startedTasks } from "../../tasks/initiators.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { isHostFailure } from "../../tasks/reason.ts";
import { getTasks } from "../../model/tasks.ts";
import { nameOf } from "./actor.ts";
import type { RunRow } from "../../workflows/run_schema.ts";
import { targetNames } from "../target_names.ts";
import type { TriggerTarget } from "../trigger_target.ts";
import { SHOWN_KINDS } from "./next_runs.ts";
import { scheduleRows } from "./repository.ts";
import type { ScheduleRow } from "./schema.ts";

/** A schedule whose last time failed. */
export interface FailingSchedule extends TriggerTarget {
  id: number;
  name: string;
  /** Name of its template or workflow. */
  target_name: string;
  /** The task that failed; null if none could be started. */
  task: StartedTask | null;
  /** The same for the run of a workflow. */
  run: { id: number; end_reason: Sentence | null } | null;
  /** Reason why nothing could be started. */
  error: Sentence | null;
  at: string | null;
}

/**
 * Returns the project's schedules whose last task or run failed, or that could not start one.
 * Disabled schedules do not count, nor do one-time schedules whose task failed, because nothing
 * follows. Checks that failed on hosts do not count either, because these have states. Each page
 * asks for the schedules. Those of hidden targets are left out, and for someone who sees no tasks
 * of others, those whose task or run failed.
 */
export async function listFailingSchedules(scope: ProjectScope): Promise<FailingSchedule[]> {
  const [sight, all] = await Promise.all([sightOf(scope), listAllFailing(scope)]);
  return sight.seesAll
    ? all
    : all.filter((schedule) =>
      sight.maySeeTarget(schedule) && (sight.seesAllTasks || schedule.error !== null)
    );
}

/**
 * Returns all of them. The stamps move with each schedule, and with the end of its tasks and runs.
 */
function listAllFailing({ deps, projectId }: ProjectScope): Promise<FailingSchedule[]> {
  const { kv } = deps;
  const stamps = SHOWN_KINDS.map((kind) => rowKeys.resourcesStamp(kind));
  return cachedWhile(kv, stamps, `failing schedules of ${projectId}`, async () => {
    const watched = (await scheduleRows.list(kv, projectId)).filter(mayFail);
    const lastIds = watched.flatMap((row) =>
      row.last_error || row.workflow_id || row.last_task_id === null ? [] : row.last_task_id
    );
    const last = await getTasks(kv, lastIds.map((id) => [projectId, id]));
    const failed = await startedTasks(deps, last.filter(hasFailed), null);
    const runIds = watched.flatMap((row) =>
      row.last_error || !row.workflow_id ? [] : row.last_run_id ?? []
    );
    const runs = await getAll<RunRow>(kv, runIds.map((id) => rowKeys.workflowRun(projectId, id)));
    const failures: Failures = {
      tasks: new Map(failed.map((task) => [task.id, task])),
      runs: new Map(
        runs.flatMap(({ value }) => value?.status === "failed" ? [[value.id, value] as const] : []),
      ),
    };
    const failing = watched.flatMap((row) => failure(row, failures) ?? []);
    const nameOfTarget = await targetNames(kv, projectId, failing);
    return failing.map((found) => ({ ...found, target_name: nameOfTarget(found) }));
  });
}

function mayFail({ type, active, last_error }: ScheduleRow): boolean {
  if (type === "run_at") return last_error !== null;
  // The scheduler disables a schedule whose times it can no longer compute.
  return active || last_error?.key.startsWith("errors.cron.") === true;
}

/** Whether a task failed as a whole. */
const hasFailed = ({ status, check, end_reason }: TaskRow): boolean =>
  status === "error" && !(check && isHostFailure(end_reason));

/** The failed tasks and runs by their ids. */
interface Failures {
  tasks: Map<number, StartedTask>;
  runs: Map<number, RunRow>;
}

/** Returns the failure of a schedule; null if its latest task or run did not fail. */
function failure(
  row: ScheduleRow,
  { tasks, runs }: Failures,
): Omit<FailingSchedule, "target_name"> | null {
  const { id, template_id, workflow_id, last_error } = row;
  const isOfTask = last_error === null && !workflow_id;
  const task = isOfTask ? tasks.get(row.last_task_id ?? 0) ?? null : null;
  const run = last_error || isOfTask ? null : runs.get(row.last_run_id ?? 0) ?? null;
  if (!last_error && !task && !run) return null;
  return {
    id,
    name: nameOf(row),
    ...{ template_id, workflow_id, task },
    run: run && { id: run.id, end_reason: run.end_reason },
    error: last_error && { key: last_error.key, params: last_error.params },
    at: last_error?.at ?? task?.end ?? run?.end ?? null,
  };
}
