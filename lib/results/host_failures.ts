import type { ProjectScope } from "../access/scope.ts";
import { getSeenTask } from "../access/seen/tasks.ts";
import type { Reason } from "../base/reason.ts";
import { runOf, type WhichRun } from "../output/run_id.ts";
import type { Store } from "../store/store.ts";
import { readResults } from "./find_results.ts";
import { failureMessage } from "./first_failure.ts";
import { type CellPosition, listPlayTasks, readStates } from "./result_store.ts";
import { statusOfCode } from "./rows.ts";
import type { HostResultView, ListedHost, RunHost } from "./schema.ts";
import { hasFailures, isFailure } from "./statuses.ts";

/** Returns the hosts of a task with the reasons of those that failed. */
export async function withFailures(
  scope: ProjectScope,
  taskId: number,
  hosts: RunHost[],
  { preview }: WhichRun = {},
): Promise<ListedHost[]> {
  const { kv } = scope.deps;
  const { id } = await getSeenTask(scope, taskId);
  const failed = hosts.filter(({ status }) => isFailure(status)).map((host) => host.id);
  const failures = await findHostFailures(kv, runOf(id, preview), failed);
  return hosts.map((host) => ({ ...host, reason: failures.get(host.id) ?? null }));
}

/** Returns the first failure of each of these hosts that a play did not continue after. */
export async function findHostFailures(
  kv: Store,
  run: number,
  hosts: number[],
): Promise<Map<number, Reason>> {
  if (hosts.length === 0) return new Map();
  const tasks = (await listPlayTasks(kv, run)).filter(hasFailures).map(({ id }) => id);
  const codeOf = await readStates(kv, run, tasks, hosts);
  const hasFailed = (task: number, host: number) => {
    const status = statusOfCode(codeOf(task, host));
    return status !== null && isFailure(status);
  };
  const positions = hosts.flatMap((host): CellPosition[] => {
    const task = tasks.find((task) => hasFailed(task, host));
    return task === undefined ? [] : [[task, host]];
  });
  const results = await readResults(kv, run, positions);
  return new Map(results.map((result) => [result.host_id, reasonOf(result)]));
}

const reasonOf = (result: HostResultView): Reason => ({
  subject: "",
  step: result.play_task,
  message: failureMessage(result) || (result.hidden ? { key: "results.hidden" } : ""),
  more: 0,
  place: null,
  line: result.line,
});
