import type { ProjectScope } from "../access/scope.ts";
import { keptWhile } from "../kv/kept.ts";
import { rowKeys } from "../kv/keys.ts";
import { listOpenTasks, type OpenTask } from "../tasks/open_tasks.ts";
import { type Progress, readProgress } from "../tasks/progress.ts";
import { getTasks } from "../tasks/repository.ts";
import { type StartedTask, startedTasks } from "../tasks/starters.ts";
import { isActive, isQueued } from "../tasks/status.ts";
import { type Blocked, judge, readLimits } from "./startable.ts";

/** The oldest of a list, and how many there are. */
interface Oldest<Item> {
  items: Item[];
  count: number;
}

/** What a project's open tasks do now. */
export interface QueueOverview {
  running: Oldest<{ task: StartedTask; progress: Progress }>;
  confirming: Oldest<{ task: StartedTask }>;
  /** `blocked` is null for what starts in this moment. */
  waiting: Oldest<{ task: StartedTask; blocked: Blocked | null }>;
}

/** Tasks that are shown of each list. */
const SHOWN = 5;

/** What runs now and how far it has come, what waits for whom, and what waits for what. */
export async function readQueueOverview(
  { deps: { kv, config }, projectId }: ProjectScope,
): Promise<QueueOverview> {
  // One read a change for all that look on, of whatever project.
  const open = await keptWhile(kv, [rowKeys.tasksWake()], "open tasks", () => listOpenTasks(kv));
  const own = open.filter(({ project_id }) => project_id === projectId);
  const running = own.filter(({ status }) => isActive(status));
  const confirming = own.filter(({ status }) => status === "waiting_confirmation");
  const queued = own.filter(({ status }) => isQueued(status));
  const reasons = await readReasons(kv, config.maxParallelTasks, open, queued);
  const [runs, questions, waits] = await Promise.all(
    [running, confirming, queued].map((tasks) => readOldest(kv, tasks)),
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
      items: waits.views.map((task) => ({ task, blocked: reasons.get(task.id) ?? null })),
    },
  };
}

async function readOldest(kv: Deno.Kv, tasks: OpenTask[]) {
  const rows = await getTasks(
    kv,
    tasks.slice(0, SHOWN).map(({ project_id, id }) => [project_id, id]),
  );
  return { rows, views: await startedTasks(kv, rows) };
}

/**
 * Why each of the `queued` tasks waits. What servers run together counts as one server's: where one
 * has room for a task that nothing else holds up, it starts at once.
 */
async function readReasons(
  kv: Deno.Kv,
  maxParallelTasks: number,
  open: OpenTask[],
  queued: OpenTask[],
): Promise<Map<number, Blocked | null>> {
  if (queued.length === 0) return new Map();
  const active = open.filter(({ status }) => isActive(status)).length;
  const free = maxParallelTasks === 0 ? Infinity : maxParallelTasks - active;
  const verdicts = judge(open, await readLimits(kv, open), free);
  return new Map(verdicts.map(({ task, blocked }) => [task.id, blocked]));
}
