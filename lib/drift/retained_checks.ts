import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import type { JobRow } from "../jobs/rows.ts";
import { driftJobs } from "./outbox.ts";
import { type DriftSummary, STRIP_MAX } from "./rows.ts";

/**
 * Returns the tasks that states of hosts refer to: of each template, the latest check, and the
 * latest that had results of all hosts. Those whose states are still to be stored are kept, too.
 */
export async function neededChecks(kv: Store, projectId: number): Promise<number[]> {
  const needed: number[] = [];
  const prefix = rowKeys.driftSummaries(projectId);
  for await (const { value } of kv.list<DriftSummary>({ prefix }, { batchSize: 100 })) {
    needed.push(value.task_id, ...value.complete_id === null ? [] : [value.complete_id]);
  }
  const due = kv.list<JobRow>({ prefix: rowKeys.jobsOfKind(driftJobs.name) }, { batchSize: 100 });
  for await (const { key, value } of due) {
    if (value.project_id === projectId) needed.push(key.at(-1) as number);
  }
  return needed;
}

const TOGETHER = 100;

/**
 * Yields the ids of checks beyond the latest ones of each checked template: those of its strip, or
 * fewer if `tasksPerTemplate` is less. 0 is no limit for other tasks, but checks come all the time.
 */
export async function* surplusChecks(
  kv: Store,
  projectId: number,
  tasksPerTemplate: number,
): AsyncGenerator<number[]> {
  const kept = Math.min(tasksPerTemplate || STRIP_MAX, STRIP_MAX);
  const summaries = kv.list({ prefix: rowKeys.driftSummaries(projectId) }, { batchSize: 100 });
  for await (const { key } of summaries) {
    const prefix = rowKeys.taskHistory(projectId, key.at(-1) as number, "check", "");
    let [seen, ids]: [number, number[]] = [0, []];
    for await (const row of kv.list({ prefix }, { reverse: true, batchSize: 100 })) {
      if (++seen <= kept) continue;
      ids.push(row.key.at(-1) as number);
      if (ids.length === TOGETHER) {
        yield ids;
        ids = [];
      }
    }
    if (ids.length > 0) yield ids;
  }
}
