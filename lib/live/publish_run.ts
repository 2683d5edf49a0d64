import type { Deps } from "../access/deps.ts";
import { linkedAbort } from "../base/abort.ts";
import type { Hub } from "../base/hub.ts";
import { describeError } from "../base/log.ts";
import { sleep } from "../base/pause.ts";
import { rowKeys } from "../kv/keys.ts";
import { watchRows } from "../kv/watch.ts";
import { followLog } from "../output/follow.ts";
import type { LogRecord } from "../output/chunk.ts";

type RelayDeps = Pick<Deps, "kv" | "log">;
type RunningTask = { project_id: number; task_id: number };

const RETRY_MS = 1_000;

/**
 * Publishes a task's lines after line `last`, and updates of its results, until its log is closed.
 */
export async function publishRun(
  deps: RelayDeps,
  hub: Hub,
  task: RunningTask,
  last: number,
  signal: AbortSignal,
): Promise<void> {
  const results = linkedAbort(signal);
  const told = publishResults(deps, hub, task, results.signal);
  const publish = (records: LogRecord[]) => hub.publish({ type: "log", ...task, records });
  await publishLines(deps, task.task_id, last, publish, signal);
  results.abort();
  results.forget();
  await told;
}

/** Publishes an update each time more of a task's results are stored. */
async function publishResults(
  deps: RelayDeps,
  hub: Hub,
  task: RunningTask,
  signal: AbortSignal,
): Promise<void> {
  let isFirst = true;
  for await (const _ of watchRows(deps, [rowKeys.taskResultHead(task.task_id)], signal)) {
    if (!isFirst) hub.publish({ type: "results", ...task });
    isFirst = false;
  }
}

/**
 * Publishes a task's lines after line `last` until its log is closed. Reading is retried while the
 * store is unavailable, because nothing else would restart this.
 */
async function publishLines(
  deps: RelayDeps,
  taskId: number,
  last: number,
  publish: (records: LogRecord[]) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const records of followLog(deps, taskId, last, signal)) {
        publish(records);
        last = records.at(-1)!.id;
      }
      return;
    } catch (error) {
      deps.log("error", "relay_failed", describeError(error));
      await sleep(RETRY_MS, { signal });
    }
  }
}
