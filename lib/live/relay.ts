import { linkedAbort } from "../base/time/abort.ts";
import type { Deps } from "../access/deps.ts";
import { rowKeys } from "../store/keys.ts";
import { watchRows } from "../store/watch.ts";
import { describeError } from "../base/log.ts";
import { taskChanged } from "../tasks/changes.ts";
import { getLogHead } from "../output/store.ts";
import { findTask } from "../model/tasks.ts";
import { type OpenTask, readOpenTasks } from "../tasks/open_tasks.ts";
import { isActive, type Status } from "../model/status.ts";
import { createHub, type Hub, type LiveMessage } from "../base/hub.ts";
import { sleep } from "../base/time/pause.ts";
import { followLog } from "../output/follow.ts";
import type { LogRecord } from "../output/chunk.ts";

type RelayDeps = Pick<Deps, "kv" | "log">;

/**
 * Creates the hub for sockets when several servers share a store. It publishes stored changes,
 * whichever server made them. It reads only while there are subscribers. If statuses follow each
 * other within milliseconds, it may publish only the last one.
 */
export function createRelay(deps: RelayDeps): Pick<Hub, "subscribe"> {
  const hub = createHub((error) => deps.log("error", "listener_failed", describeError(error)));
  let listeners = 0;
  let stop = () => {};
  return {
    subscribe(listener) {
      const unsubscribe = hub.subscribe(listener);
      if (listeners++ === 0) stop = follow(deps, hub);
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        unsubscribe();
        if (--listeners === 0) stop();
      };
    },
  };
}

/** A task whose end was not published yet. */
interface Followed {
  project_id: number;
  status: Status;
  /** Set while it runs. */
  output?: { ended: Promise<void>; stop(): void };
}

const WAKES = [
  rowKeys.tasksWake(),
  rowKeys.accessWake(),
  rowKeys.tasksGone(),
  rowKeys.workflowRunsStamp(),
] as const;
/** Messages that say that a row has changed, in the order of the rows. The first row has none. */
const WAKING: LiveMessage[] = [
  { type: "access", project_id: null, user_id: null },
  { type: "gone", project_id: null },
  { type: "workflow", project_id: null, run_id: 0 },
];

/** Publishes changes from now on to `hub`, until the returned function is called. */
function follow(deps: RelayDeps, hub: Hub): () => void {
  const { kv, log } = deps;
  const closing = new AbortController();
  const tasks = new Map<number, Followed>();
  let begun = false;
  const fail = (error: unknown) => log("error", "relay_failed", describeError(error));
  const followOutput = (id: number, task: Followed, after: number): Followed => ({
    ...task,
    output: publishOutput(deps, hub, { ...task, id }, after, closing.signal),
  });

  /** Reads the initial state, which is not published. */
  async function begin() {
    for (const { id, ...task } of await readOpenTasks(kv)) {
      if (tasks.has(id)) continue;
      const lines = isActive(task.status) ? (await getLogHead(kv, id)).lines : null;
      tasks.set(id, lines === null ? task : followOutput(id, task, lines));
    }
    begun = true;
  }

  async function work() {
    let before: (string | null)[] | undefined;
    for await (const [_, ...rows] of watchRows(deps, WAKES, closing.signal)) {
      const now = rows.map(({ versionstamp }) => versionstamp);
      for (const [n, message] of WAKING.entries()) {
        if (before && now[n] !== before[n]) hub.publish(message);
      }
      before = now;
      await (begun ? look() : begin()).catch(fail);
    }
  }

  /** Publishes the tasks that were added, changed or ended since the last call. */
  async function look() {
    const open = new Map((await readOpenTasks(kv)).map((task) => [task.id, task]));
    await Promise.all([...open.values()].map(publishStep));
    for (const [id, task] of tasks) {
      if (open.has(id)) continue;
      tasks.delete(id);
      publishEnd(id, task).catch(fail);
    }
  }

  async function publishStep({ id, project_id, status }: OpenTask) {
    const before = tasks.get(id);
    if (before?.status === status) return;
    const task = { ...before, project_id, status };
    tasks.set(id, isActive(status) && !before?.output ? followOutput(id, task, 0) : task);
    const row = await findTask(kv, project_id, id);
    if (row) taskChanged({ hub }, { ...row, status });
  }

  /** Publishes a task's end after its last line. */
  async function publishEnd(id: number, task: Followed) {
    const row = await findTask(kv, task.project_id, id);
    if (!row) return task.output?.stop(); // deleted with its project
    await (task.output ?? await ranUnseen(id, task))?.ended;
    if (!closing.signal.aborted) taskChanged({ hub }, row);
  }

  /** Follows the output of a task that began and ended between two looks, if it did begin. */
  async function ranUnseen(id: number, task: Followed) {
    const { closed } = await getLogHead(kv, id);
    return closed ? followOutput(id, task, 0).output : null;
  }

  work().catch(fail);
  return () => closing.abort();
}

/** Publishes a task's lines after line `after` in the background. */
function publishOutput(
  deps: RelayDeps,
  hub: Hub,
  { project_id, id }: Followed & { id: number },
  after: number,
  signal: AbortSignal,
): Followed["output"] {
  const stop = linkedAbort(signal);
  const task = { project_id, task_id: id };
  const ended = publishRun(deps, hub, task, after, stop.signal).finally(stop.release);
  return { stop: stop.abort, ended };
}

type RunningTask = { project_id: number; task_id: number };

const RETRY_MS = 1_000;

/**
 * Publishes a task's lines after line `last`, and updates of its results, until its log is closed.
 */
async function publishRun(
  deps: RelayDeps,
  hub: Hub,
  task: RunningTask,
  last: number,
  signal: AbortSignal,
): Promise<void> {
  const results = linkedAbort(signal);
  const published = publishResults(deps, hub, task, results.signal);
  const publish = (records: LogRecord[]) => hub.publish({ type: "log", ...task, records });
  await publishLines(deps, task.task_id, last, publish, signal);
  results.abort();
  results.release();
  await published;
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
