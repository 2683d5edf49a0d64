import type { ProjectScope } from "../access/scope.ts";
import { stillMaySee } from "../access/still_may_see.ts";
import { forbidden } from "../base/errors.ts";
import { type Expected, requireVersion, versioned } from "../base/version.ts";
import { recordEvent } from "../events/record.ts";
import { requireRow } from "../kv/row_reader.ts";
import { keptWhile } from "../kv/kept.ts";
import { rowKeys } from "../kv/keys.ts";
import { fitList } from "./answer_store.ts";
import { taskEvent } from "./changes.ts";
import { followLog } from "./follow.ts";
import { listHistory, type TaskFilter } from "./history.ts";
import { readLog, takeLines } from "./log_store.ts";
import type { LogRecord } from "./log_chunk.ts";
import { getTask as getTaskRow, listTemplateTasks } from "./repository.ts";
import { removeTask } from "./retention.ts";
import type { TaskView } from "./schema.ts";
import { taskView, taskViews } from "./view.ts";

/** One task. */
export async function getTask({ deps, projectId }: ProjectScope, id: number) {
  const row = await getTaskRow(deps.kv, projectId, id);
  return versioned(await taskView(deps.kv, row), row);
}

interface TaskList {
  tasks: TaskView[];
  /** Whether older tasks match too: ask for those `before` the last one's id. */
  hasNext: boolean;
}

/** A project's or template's tasks, newest first. */
export async function listTasks(
  { deps, projectId }: ProjectScope,
  filter: TaskFilter,
): Promise<TaskList> {
  const { templateId } = filter;
  if (templateId !== undefined) await requireRow(deps.kv, "templates", projectId, templateId);
  const read = () => readTasks(deps.kv, projectId, filter);
  if (!isPolled(filter)) return await read();
  const name = `tasks of ${projectId}: ${JSON.stringify(filter)}`;
  return await keptWhile(deps.kv, [rowKeys.tasksWake()], name, read);
}

/** Clients ask for the newest tasks again and again, up to so many. */
const POLLED_MAX = 200;

/** What is kept must be of few names: any number of people and times can be asked for. */
const isPolled = ({ limit, before, userId, from, to }: TaskFilter) =>
  limit <= POLLED_MAX && [before, userId, from, to].every((value) => value === undefined);

async function readTasks(kv: Deno.Kv, projectId: number, filter: TaskFilter): Promise<TaskList> {
  const { tasks, hasNext } = await listHistory(kv, projectId, filter);
  const listed = fitList(tasks);
  return { tasks: await taskViews(kv, listed), hasNext: hasNext || listed.length < tasks.length };
}

/** The newest builds of a template that a deploy may choose from. */
export async function listBuilds(
  { deps, projectId }: ProjectScope,
  templateId: number,
  limit: number,
): Promise<TaskView[]> {
  const builds = await listTemplateTasks(deps.kv, projectId, templateId, { limit, built: true });
  return await taskViews(deps.kv, fitList(builds));
}

/** A task's stored output after line `after`, at most `limit` lines, a chunk at a time. */
export async function readTaskLog(
  { deps, projectId }: ProjectScope,
  id: number,
  after = 0,
  limit = Infinity,
) {
  const task = await getTaskRow(deps.kv, projectId, id);
  return takeLines(readLog(deps.kv, task.id, after), limit);
}

/** A task's lines, first those stored and then those that come, while `actor` may see them. */
export async function* followTaskLog(
  scope: ProjectScope,
  taskId: number,
  signal: AbortSignal,
  after = 0,
): AsyncGenerator<LogRecord[]> {
  await getTaskRow(scope.deps.kv, scope.projectId, taskId);
  for await (const records of followLog(scope.deps, taskId, after, signal)) {
    // Asked again each time: who is removed from the project sees no further line.
    if (!await stillMaySee(scope)) return;
    yield records;
  }
}

/** Deletes a finished task with its output; admins only. Throws 409 while it has no end. */
export async function deleteTask(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  id: number,
  expected?: Expected,
) {
  if (actor.kind !== "user" || !actor.admin) throw forbidden();
  const task = await getTaskRow(deps.kv, projectId, id);
  requireVersion(task, expected); // one that has ended never changes
  const tell = (op: Deno.AtomicOperation) =>
    recordEvent(op, deps, actor, taskEvent(task, "deleted"));
  await removeTask(deps.kv, task, tell);
}
