import { rowKeys } from "../kv/keys.ts";
import { getTasks } from "./repository.ts";
import { listOpenTasks } from "./open_tasks.ts";
import type { TaskRow } from "./schema.ts";
import { isFinished, type Status } from "./status.ts";
import { idRange } from "./id_range.ts";

/** What of a project's history is wanted. */
export interface TaskFilter {
  limit: number;
  /** Only tasks with a smaller id. */
  before?: number;
  status?: Status;
  templateId?: number;
  userId?: number;
  /** RFC 3339 in UTC; by when the task was created. */
  from?: string;
  to?: string;
}

interface HistoryPage {
  tasks: TaskRow[];
  /** Whether older tasks match too: ask for those `before` the last one's id. */
  hasNext: boolean;
}

/**
 * The tasks of a project that match, newest first. A page costs what it shows: each filter, alone
 * and with the others, has an index.
 */
export async function listHistory(
  kv: Deno.Kv,
  projectId: number,
  filter: TaskFilter,
): Promise<HistoryPage> {
  const { limit } = filter;
  const found: TaskRow[] = [];
  // One more than asked for tells whether there is a next page.
  for await (const tasks of candidates(kv, projectId, filter, Math.min(limit + 1, BATCH_MAX))) {
    found.push(...tasks.filter((task) => matches(task, filter)));
    if (found.length > limit) break;
  }
  return { tasks: found.slice(0, limit), hasNext: found.length > limit };
}

const BATCH_MAX = 500;

function matches(task: TaskRow, { status, templateId, userId, from, to }: TaskFilter): boolean {
  return (status === undefined || task.status === status) &&
    (templateId === undefined || task.template_id === templateId) &&
    (userId === undefined || task.user_id === userId) &&
    (from === undefined || task.created >= from) &&
    (to === undefined || task.created <= to);
}

/** What an index leads to, newest first, `size` at a time; all but a few of it match. */
async function* candidates(
  kv: Deno.Kv,
  projectId: number,
  filter: TaskFilter,
  size: number,
): AsyncGenerator<TaskRow[]> {
  const { status } = filter;
  const isOpen = status !== undefined && !isFinished(status);
  const source = isOpen ? openTasks(kv, projectId, filter) : indexed(kv, projectId, filter, size);
  let batch: (number | TaskRow)[] = [];
  for await (const found of source) {
    batch.push(found);
    if (batch.length < size) continue;
    yield await rowsOf(kv, projectId, batch);
    batch = [];
  }
  yield await rowsOf(kv, projectId, batch);
}

/** The rows of what was found: all of it rows already, or ids. */
async function rowsOf(kv: Deno.Kv, projectId: number, found: (number | TaskRow)[]) {
  const rows = found.filter((one) => typeof one === "object");
  if (rows.length > 0) return rows;
  const ids = found.filter((one) => typeof one === "number");
  return await getTasks(kv, ids.map((id) => [projectId, id]));
}

/** A task that has no end is in the queue: history knows last states only. */
async function* openTasks(
  kv: Deno.Kv,
  projectId: number,
  { status, templateId, before = Infinity }: TaskFilter,
): AsyncGenerator<number> {
  for (const task of (await listOpenTasks(kv)).reverse()) {
    if (task.project_id !== projectId || task.status !== status || task.id >= before) continue;
    if (templateId === undefined || task.template_id === templateId) yield task.id;
  }
}

/** Ids from an index; where no filter needs one, the tasks themselves. */
async function* indexed(
  kv: Deno.Kv,
  projectId: number,
  filter: TaskFilter,
  batchSize: number,
): AsyncGenerator<number | TaskRow> {
  const prefix = indexOf(projectId, filter);
  const { start, end } = await idRange(kv, projectId, filter);
  const selector = { start: [...prefix, start], end: [...prefix, end] };
  const entries = kv.list<true | TaskRow>(selector, { reverse: true, batchSize });
  for await (const { key, value } of entries) {
    yield value === true ? key.at(-1) as number : value;
  }
}

/** The rows whose keys end with the ids of the tasks that match, but for the time. */
export function indexOf(
  projectId: number,
  { templateId = 0, userId = 0, status }: TaskFilter,
): Deno.KvKey {
  if (userId === 0 && status === undefined) {
    return templateId === 0
      ? rowKeys.tasks(projectId)
      : rowKeys.tasksByTemplate(projectId, templateId);
  }
  return rowKeys.taskHistory(projectId, templateId, userId, status ?? "");
}
