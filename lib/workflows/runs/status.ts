import { getAll } from "../../store/rows/get_all.ts";
import type { Store } from "../../store/store.ts";
import { readOpenTasks } from "../../tasks/open_tasks.ts";
import type { RunRow } from "../run_schema.ts";
import type { RunStatus } from "../step_state.ts";
import { runKey } from "./new_run.ts";

/**
 * Returns the statuses of runs as people see them. A run also waits for approval if all that runs
 * are tasks that wait for a confirmation, and nested runs that wait for approval.
 */
export async function shownStatuses(kv: Store, runs: readonly RunRow[]): Promise<RunStatus[]> {
  const open = runs.map((run) => run.status === "running" ? runningSteps(run) : []);
  const running = open.flat();
  const nested = runs.flatMap((run, n) =>
    open[n].flatMap(({ run_id: id }) => id === undefined ? [] : [runKey({ ...run, id })])
  );
  if (running.length === 0) return runs.map(({ status }) => status);
  const [tasks, rows] = await Promise.all([
    running.some(({ task_id }) => task_id !== undefined) ? readOpenTasks(kv) : [],
    getAll<RunRow>(kv, nested),
  ]);
  const confirming = new Set(
    tasks.flatMap(({ id, status }) => status === "waiting_confirmation" ? id : []),
  );
  const inner = rows.flatMap(({ value }) => value ?? []);
  const statuses = await shownStatuses(kv, inner);
  const asking = new Set(inner.flatMap(({ id }, n) => statuses[n] === "approval" ? id : []));
  return runs.map(({ status }, n) => {
    const isAsking = open[n].length > 0 &&
      open[n].every(({ task_id, run_id }) =>
        task_id !== undefined ? confirming.has(task_id) : asking.has(run_id ?? 0)
      );
    return isAsking ? "approval" : status;
  });
}

const runningSteps = ({ steps }: RunRow) =>
  Object.values(steps).filter(({ state }) => state === "running");
