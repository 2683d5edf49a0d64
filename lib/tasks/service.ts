import type { ProjectScope } from "../access/scope.ts";
import { getSeenTask, getSeenTasks, seenTasks } from "../access/seen/tasks.ts";
import { sightStamps } from "../access/rules/read.ts";
import { type Sight, sightOf } from "../access/sight.ts";
import { notFound } from "../base/errors.ts";
import { whileSeen } from "../access/follow.ts";
import { stillMaySeeTask } from "../access/still_may_see.ts";
import { versioned } from "../base/version.ts";
import { requireRow } from "../store/rows/row_reader.ts";
import { cachedWhile } from "../store/cached.ts";
import { rowKeys } from "../store/keys.ts";
import { limitByBytes } from "./answer_store.ts";
import { followLog } from "../output/follow.ts";
import type { TaskFilter } from "./history/filter.ts";
import { listHistory } from "./history/history.ts";
import { lastTaskOf } from "./template_tasks.ts";
import { getLogHead, readLog, takeLines } from "../output/store.ts";
import type { LogRecord } from "../output/chunk.ts";
import { listTemplateTasks } from "./repository.ts";
import type { TaskView } from "./schema.ts";
import type { TaskRow } from "../model/task_row.ts";
import { type StartedTask, startedTasks } from "./initiators.ts";
import { isFinished } from "../model/status.ts";
import { taskView, taskViews } from "./view.ts";

/** Returns one task. */
export async function getTask(scope: ProjectScope, id: number) {
  const { deps } = scope;
  const [sight, row] = await Promise.all([sightOf(scope), getSeenTask(scope, id)]);
  return versioned(await taskView(deps, row, { sight }), row);
}

interface TaskList<Task = TaskView> {
  tasks: Task[];
  /** Whether older tasks may match, too. */
  hasNext: boolean;
  /** The value of `before` that requests them; null for none. */
  next: number | null;
}

/** Returns a project's or template's tasks, newest first. */
export const listTasks = (scope: ProjectScope, filter: TaskFilter): Promise<TaskList> =>
  cachedList(
    scope,
    filter,
    "tasks",
    [],
    (tasks, sight) => taskViews(scope.deps, tasks, { sight }),
  );

/** Returns the same tasks as pages show them: of automatic attempts, only the latest one. */
export const listStartedTasks = (
  scope: ProjectScope,
  filter: TaskFilter,
): Promise<TaskList<StartedTask>> => {
  const named = (["schedules", "integrations", "workflows"] as const)
    .map((kind) => rowKeys.resourcesStamp(kind));
  const shown = { ...filter, last_attempts: true } as const;
  return cachedList(
    scope,
    shown,
    "started tasks",
    named,
    (tasks, sight) => startedTasks(scope.deps, tasks, sight),
  );
};

/** Clients poll the latest tasks, up to this many. */
const POLLED_MAX = 200;

/** Only queries with few variants are cached, because people, times and positions are unlimited. */
const isPolled = ({ limit, before, userId, from, to }: TaskFilter) =>
  limit <= POLLED_MAX && [before, userId, from, to].every((value) => value === undefined);

/**
 * Returns the result of `show` for the matching tasks, cached until the tasks or `stamps` change.
 */
async function cachedList<Task>(
  scope: ProjectScope,
  filter: TaskFilter,
  what: string,
  stamps: Deno.KvKey[],
  show: (tasks: TaskRow[], sight: Sight) => Promise<Task[]>,
): Promise<TaskList<Task>> {
  const { deps: { kv }, projectId } = scope;
  const { templateId } = filter;
  const sight = await sightOf(scope);
  if (templateId !== undefined) await requireRow(kv, "templates", projectId, templateId);
  if (templateId !== undefined && !sight.maySee("templates", templateId)) throw notFound();
  async function read() {
    const { tasks, next: following } = await listHistory(kv, projectId, filter, sight);
    const listed = limitByBytes(tasks);
    const next = listed.length < tasks.length ? listed.at(-1)!.id : following;
    return { tasks: await show(listed, sight), hasNext: next !== null, next };
  }
  if (!isPolled(filter)) return await read();
  const name = `${what} of ${projectId}: ${JSON.stringify(filter)} ${sight.readers}`;
  return await cachedWhile(
    kv,
    [rowKeys.tasksWake(), ...sightStamps(projectId), ...stamps],
    name,
    read,
  );
}

/** Returns those of the project's tasks with these ids that the actor sees, by id. */
export async function findTasks(
  scope: ProjectScope,
  ids: number[],
): Promise<Map<number, TaskView>> {
  const [sight, rows] = await Promise.all([sightOf(scope), getSeenTasks(scope, ids)]);
  const tasks = await taskViews(scope.deps, rows, { brief: true, sight });
  return new Map(tasks.map((task) => [task.id, task]));
}

/**
 * Returns the latest task of a template that the actor sees, as template lists show it; null for
 * none.
 */
export async function getLastTask(
  scope: ProjectScope,
  templateId: number,
): Promise<TaskView | null> {
  const { deps, projectId } = scope;
  const sight = await sightOf(scope);
  if (!sight.maySee("templates", templateId)) return null;
  if (sight.seesAllTasks) return await lastTaskOf(deps, projectId, templateId, sight);
  const [last] = (await listTasks(scope, { templateId, limit: 1 })).tasks;
  return last ?? null;
}

/** Returns the latest builds of a template from which a deploy may choose, as the actor sees it. */
export async function listBuilds(
  scope: ProjectScope,
  templateId: number,
  limit: number,
): Promise<TaskView[]> {
  const { deps, projectId } = scope;
  const [sight, builds] = await Promise.all([
    sightOf(scope),
    listTemplateTasks(deps.kv, projectId, templateId, { limit, built: true }),
  ]);
  return await taskViews(deps, limitByBytes(seenTasks(sight, builds)), { sight });
}

/** Returns a task's stored output after line `after`, at most `limit` lines, in chunks. */
export async function readTaskLog(
  scope: ProjectScope<"read_output">,
  id: number,
  after = 0,
  limit = Infinity,
) {
  const { deps } = scope;
  const task = await getSeenTask(scope, id);
  return takeLines(readLog(deps.kv, task.id, after), limit);
}

/** Returns the line after which a page of the output continues; null if it is the last one. */
export async function nextLogLine(
  scope: ProjectScope<"read_output">,
  id: number,
  after = 0,
  limit = Infinity,
): Promise<number | null> {
  const { deps } = scope;
  const { id: taskId } = await getSeenTask(scope, id);
  const { lines } = await getLogHead(deps.kv, taskId);
  return after + limit < lines ? after + limit : null;
}

/**
 * Yields a task's stored lines, then new ones, while the caller may see them. A finished task gets
 * none: its output is closed in the commit of its end, unless it never had one.
 */
export async function* followTaskLog(
  scope: ProjectScope<"read_output">,
  taskId: number,
  signal: AbortSignal,
  after = 0,
): AsyncGenerator<LogRecord[]> {
  const task = await getSeenTask(scope, taskId);
  if (isFinished(task.status)) return yield* readLog(scope.deps.kv, taskId, after);
  // Asked each time so that people removed from the project receive no further line.
  const maySee = () => stillMaySeeTask(scope, task, "read_output");
  yield* whileSeen(
    scope,
    maySee,
    signal,
    (seen) => followLog(scope.deps, taskId, after, seen, maySee),
  );
}
