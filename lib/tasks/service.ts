import type { ProjectScope } from "../access/scope.ts";
import { stillMaySee } from "../access/still_may_see.ts";
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
import { getTaskRow, getTasks } from "../model/tasks.ts";
import type { TaskView } from "./schema.ts";
import type { TaskRow } from "../model/task_row.ts";
import { type StartedTask, startedTasks } from "./initiators.ts";
import { isFinished } from "../model/status.ts";
import { taskView, taskViews } from "./view.ts";

/** Returns one task. */
export async function getTask({ deps, projectId }: ProjectScope, id: number) {
  const row = await getTaskRow(deps.kv, projectId, id);
  return versioned(await taskView(deps, row), row);
}

interface TaskList<Task = TaskView> {
  tasks: Task[];
  /** Whether older tasks match too. Request them with `before` set to the last task's id. */
  hasNext: boolean;
}

/** Returns a project's or template's tasks, newest first. */
export const listTasks = (scope: ProjectScope, filter: TaskFilter): Promise<TaskList> =>
  cachedList(scope, filter, "tasks", [], (tasks) => taskViews(scope.deps, tasks));

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
    (tasks) => startedTasks(scope.deps, tasks),
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
  { deps: { kv }, projectId }: ProjectScope,
  filter: TaskFilter,
  what: string,
  stamps: Deno.KvKey[],
  show: (tasks: TaskRow[]) => Promise<Task[]>,
): Promise<TaskList<Task>> {
  const { templateId } = filter;
  if (templateId !== undefined) await requireRow(kv, "templates", projectId, templateId);
  async function read() {
    const { tasks, hasNext } = await listHistory(kv, projectId, filter);
    const listed = limitByBytes(tasks);
    return { tasks: await show(listed), hasNext: hasNext || listed.length < tasks.length };
  }
  if (!isPolled(filter)) return await read();
  const name = `${what} of ${projectId}: ${JSON.stringify(filter)}`;
  return await cachedWhile(kv, [rowKeys.tasksWake(), ...stamps], name, read);
}

/** Returns the project's existing tasks with these ids, by id. */
export async function findTasks(
  { deps, projectId }: ProjectScope,
  ids: number[],
): Promise<Map<number, TaskView>> {
  const rows = await getTasks(deps.kv, ids.map((id) => [projectId, id]));
  const tasks = await taskViews(deps, rows, { brief: true });
  return new Map(tasks.map((task) => [task.id, task]));
}

/** Returns the latest task of a template, as template lists show it; null if it never ran. */
export const getLastTask = ({ deps, projectId }: ProjectScope, templateId: number) =>
  lastTaskOf(deps, projectId, templateId);

/** Returns the latest builds of a template from which a deploy may choose. */
export async function listBuilds(
  { deps, projectId }: ProjectScope,
  templateId: number,
  limit: number,
): Promise<TaskView[]> {
  const builds = await listTemplateTasks(deps.kv, projectId, templateId, { limit, built: true });
  return await taskViews(deps, limitByBytes(builds));
}

/** Returns a task's stored output after line `after`, at most `limit` lines, in chunks. */
export async function readTaskLog(
  { deps, projectId }: ProjectScope<"read_output">,
  id: number,
  after = 0,
  limit = Infinity,
) {
  const task = await getTaskRow(deps.kv, projectId, id);
  return takeLines(readLog(deps.kv, task.id, after), limit);
}

/** Returns the line after which a page of the output continues; null if it is the last one. */
export async function nextLogLine(
  { deps, projectId }: ProjectScope<"read_output">,
  id: number,
  after = 0,
  limit = Infinity,
): Promise<number | null> {
  const { id: taskId } = await getTaskRow(deps.kv, projectId, id);
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
  const { status } = await getTaskRow(scope.deps.kv, scope.projectId, taskId);
  if (isFinished(status)) return yield* readLog(scope.deps.kv, taskId, after);
  // Asked each time so that people removed from the project receive no further line.
  const maySee = () => stillMaySee(scope, "read_output");
  yield* followLog(scope.deps, taskId, after, signal, maySee);
}
