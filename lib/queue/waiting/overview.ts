import type { Deps } from "../../access/deps.ts";
import type { ProjectScope } from "../../access/scope.ts";
import { getSeenTask, seenTasks } from "../../access/seen/tasks.ts";
import { type Sight, sightOf } from "../../access/sight.ts";
import { type OpenTask, readOpenTasks } from "../../tasks/open_tasks.ts";
import { type Progress, readProgress } from "../../tasks/progress.ts";
import { getTasks } from "../../model/tasks.ts";
import type { TaskWait } from "../../tasks/schema.ts";
import { type StartedTask, startedTasks } from "../../tasks/initiators.ts";
import { isActive, isQueued } from "../../model/status.ts";
import { readReasons } from "../../tasks/waiting/read_reasons.ts";
import type { Blocked } from "../../tasks/waiting/startable.ts";
import { waitSentence } from "../../tasks/waiting/wait_sentence.ts";

/** The oldest items of a list, and the number of all items. */
interface Oldest<Item> {
  items: Item[];
  count: number;
}

/** Current state of a project's unfinished tasks. */
export interface QueueOverview {
  running: Oldest<{ task: StartedTask; progress: Progress }>;
  confirming: Oldest<{ task: StartedTask }>;
  waiting: Oldest<Waiting>;
}

/** Tasks that wait for the same reason. */
export interface Waiting {
  /** Null for tasks that start at this moment. */
  blocked: Blocked | null;
  /** Number of all of them. */
  count: number;
  /** The oldest ones. */
  tasks: StartedTask[];
}

/** Number of tasks shown of each list. */
const SHOWN = 5;

/**
 * Returns the running tasks with their progress, the tasks that wait for a confirmation, and the
 * queued tasks with the reason why they wait.
 */
export async function readQueueOverview(scope: ProjectScope): Promise<QueueOverview> {
  const { deps } = scope;
  const { kv } = deps;
  const [sight, open] = await Promise.all([sightOf(scope), readOpenTasks(kv)]);
  const own = await openTasksSeen(scope, sight, open);
  const running = own.filter(({ status }) => isActive(status));
  const confirming = own.filter(({ status }) => status === "waiting_confirmation");
  const queued = own.filter(({ status }) => isQueued(status));
  const reasons = await readReasons(deps, open, queued);
  const [runs, questions, waits] = await Promise.all(
    [running, confirming, queued].map((tasks) => readOldest(deps, tasks, sight)),
  );
  const progress = await readProgress(kv, runs.rows);
  return {
    running: {
      count: running.length,
      items: runs.views.map((task, n) => ({ task, progress: progress[n] })),
    },
    confirming: { count: confirming.length, items: questions.views.map((task) => ({ task })) },
    waiting: {
      count: queued.length,
      items: groupByReason(waits.views, queued, reasons),
    },
  };
}

/** Returns the unfinished tasks of the project that someone sees. */
async function openTasksSeen(
  { deps: { kv }, projectId }: ProjectScope,
  sight: Sight,
  open: OpenTask[],
): Promise<OpenTask[]> {
  const own = open.filter(({ project_id, template_id }) =>
    project_id === projectId && sight.maySee("templates", template_id)
  );
  if (sight.seesAllTasks) return own;
  // Rows of the queue do not have the starter.
  const rows = await getTasks(kv, own.map(({ id }) => [projectId, id]));
  const seen = new Set(seenTasks(sight, rows).map(({ id }) => id));
  return own.filter(({ id }) => seen.has(id));
}

/** A queued task's reason to wait; null if it starts at this moment. */
export interface Wait {
  blocked: Blocked | null;
}

/** Returns why a task waits; null if it is not queued. */
export async function readWait(
  { deps, projectId }: ProjectScope,
  id: number,
): Promise<Wait | null> {
  const open = await readOpenTasks(deps.kv);
  const task = open.find((task) => task.id === id && task.project_id === projectId);
  if (!task || !isQueued(task.status)) return null;
  const reasons = await readReasons(deps, open, [task]);
  return { blocked: reasons.get(id) ?? null };
}

/** Returns why a task waits, as the API does. Throws not found. */
export async function getTaskWait(scope: ProjectScope, id: number): Promise<TaskWait> {
  await getSeenTask(scope, id);
  const wait = await readWait(scope, id);
  return {
    waits: wait !== null,
    by: wait?.blocked?.by ?? null,
    reason: wait ? waitSentence(wait.blocked) : "",
  };
}

/** Groups the `shown` tasks by the reason why they wait, and counts those in all of `queued`. */
function groupByReason(
  shown: StartedTask[],
  queued: OpenTask[],
  reasons: Map<number, Blocked | null>,
): Waiting[] {
  const blockedOf = ({ id }: { id: number }) => reasons.get(id) ?? null;
  const nameOf = (task: { id: number }) => reasonName(blockedOf(task));
  const counts = Map.groupBy(queued, nameOf);
  return [...Map.groupBy(shown, nameOf)].map(([name, tasks]) => ({
    blocked: blockedOf(tasks[0]),
    count: counts.get(name)!.length,
    tasks,
  }));
}

function reasonName(blocked: Blocked | null): string {
  if (!blocked) return "";
  if (blocked.by === "runner") return JSON.stringify(blocked);
  return "behind" in blocked ? `${blocked.by} ${blocked.behind.map(({ id }) => id)}` : blocked.by;
}

async function readOldest(deps: Deps, tasks: OpenTask[], sight: Sight) {
  const rows = await getTasks(
    deps.kv,
    tasks.slice(0, SHOWN).map(({ project_id, id }) => [project_id, id]),
  );
  return { rows, views: await startedTasks(deps, rows, sight) };
}
