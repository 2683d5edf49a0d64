import { rowKeys } from "../kv/keys.ts";
import { getTasks } from "./repository.ts";
import { listOpenTasks } from "./open_tasks.ts";
import type { TaskRow } from "./schema.ts";
import { isFinished } from "./status.ts";
import { triggerOf } from "./trigger.ts";
import { matches, type TaskFilter } from "./filter.ts";
import { starterParts } from "./index_keys.ts";
import { mergeNewest } from "../base/merge_newest.ts";
import { idRange } from "./id_range.ts";

interface HistoryPage {
  tasks: TaskRow[];
  /** Whether older tasks match too: ask for those `before` the last one's id. */
  hasNext: boolean;
}

/**
 * The tasks of a project that match, newest first. A page costs what it shows: each filter, alone
 * and with the others, has an index, or some that are merged.
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
    found.push(...tasks.filter((task) => matches({ ...task, trigger: triggerOf(task) }, filter)));
    if (found.length > limit) break;
  }
  return { tasks: found.slice(0, limit), hasNext: found.length > limit };
}

const BATCH_MAX = 500;

/** A task that an index leads to; its row where that was read with it. */
interface Found {
  id: number;
  task?: TaskRow;
}

/** What the indices lead to, newest first, `size` at a time; all but a few of it match. */
async function* candidates(
  kv: Deno.Kv,
  projectId: number,
  filter: TaskFilter,
  size: number,
): AsyncGenerator<TaskRow[]> {
  const range = await idRange(kv, projectId, filter);
  const sources = indicesOf(projectId, filter).map((prefix) => indexed(kv, prefix, range, size));
  // A task that has no end is in the queue: history knows last states only.
  if (filter.statuses?.some((status) => !isFinished(status))) {
    sources.push(openTasks(kv, projectId, filter));
  }
  let batch: Found[] = [];
  let last = Infinity;
  for await (const found of mergeNewest(sources, (a, b) => a.id > b.id)) {
    // One that ends while this reads may be found twice.
    if (found.id === last) continue;
    last = found.id;
    batch.push(found);
    if (batch.length < size) continue;
    yield await rowsOf(kv, projectId, batch);
    batch = [];
  }
  yield await rowsOf(kv, projectId, batch);
}

/** The rows of what was found: all of it with its row, or none. */
async function rowsOf(kv: Deno.Kv, projectId: number, found: Found[]): Promise<TaskRow[]> {
  const rows = found.flatMap(({ task }) => task ?? []);
  return rows.length > 0 ? rows : await getTasks(kv, found.map(({ id }) => [projectId, id]));
}

/** What the queue has that may match. */
async function* openTasks(
  kv: Deno.Kv,
  projectId: number,
  { statuses, templateId, before = Infinity }: TaskFilter,
): AsyncGenerator<Found> {
  for (const task of (await listOpenTasks(kv)).reverse()) {
    if (task.project_id !== projectId || task.id >= before) continue;
    if (!statuses?.includes(task.status)) continue;
    if (templateId === undefined || task.template_id === templateId) yield { id: task.id };
  }
}

/** What an index has, newest first; the tasks themselves are one, too. */
async function* indexed(
  kv: Deno.Kv,
  prefix: Deno.KvKey,
  { start, end }: { start: number; end: number },
  batchSize: number,
): AsyncGenerator<Found> {
  const selector = { start: [...prefix, start], end: [...prefix, end] };
  const entries = kv.list<true | TaskRow>(selector, { reverse: true, batchSize });
  for await (const { key, value } of entries) {
    yield { id: key.at(-1) as number, ...value !== true && { task: value } };
  }
}

/** Rows whose keys end with ids: together all finished tasks that match, but for the time. */
export function indicesOf(
  projectId: number,
  { templateId = 0, userId, statuses, triggers }: TaskFilter,
): Deno.KvKey[] {
  if (userId === undefined && !triggers && !statuses) {
    const all = rowKeys.tasks(projectId);
    return [templateId === 0 ? all : rowKeys.tasksByTemplate(projectId, templateId)];
  }
  return starterParts(userId, triggers).flatMap((starter) =>
    (statuses?.filter(isFinished) ?? [""]).map((status) =>
      rowKeys.taskHistory(projectId, templateId, starter, status)
    )
  );
}
