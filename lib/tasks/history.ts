import { rowKeys } from "../kv/keys.ts";
import { getTasks } from "./repository.ts";
import { listOpenTasks } from "./open_tasks.ts";
import type { TaskRow } from "./schema.ts";
import { isFinished } from "./status.ts";
import { triggerOf } from "./trigger.ts";
import { matchesFilter, type TaskFilter } from "./filter.ts";
import { initiatorKeys } from "./index_keys.ts";
import { mergeNewest } from "../base/merge.ts";

interface HistoryPage {
  tasks: TaskRow[];
  /** Whether older tasks match too. Request them with `before` set to the last task's id. */
  hasNext: boolean;
}

/**
 * Returns the matching tasks of a project, newest first. A page costs only what it shows, because
 * each filter and each combination has an index or a few indices that are merged. Only the tasks of
 * a runner are searched for those of an initiator.
 */
export async function listHistory(
  kv: Deno.Kv,
  projectId: number,
  filter: TaskFilter,
): Promise<HistoryPage> {
  const { limit } = filter;
  const found: TaskRow[] = [];
  // One task more than requested shows whether there is a next page.
  for await (const tasks of candidates(kv, projectId, filter, Math.min(limit + 1, BATCH_MAX))) {
    found.push(
      ...tasks.filter((task) => matchesFilter({ ...task, trigger: triggerOf(task) }, filter)),
    );
    if (found.length > limit) break;
  }
  return { tasks: found.slice(0, limit), hasNext: found.length > limit };
}

const BATCH_MAX = 500;

/** A task found in an index, with its row if that was read too. */
interface Found {
  id: number;
  task?: TaskRow;
}

/**
 * Yields the tasks found in the indices, newest first, `size` at a time. Almost all of them match.
 */
async function* candidates(
  kv: Deno.Kv,
  projectId: number,
  filter: TaskFilter,
  size: number,
): AsyncGenerator<TaskRow[]> {
  const range = await idRange(kv, projectId, filter);
  const sources = indicesOf(projectId, filter).map((prefix) => indexed(kv, prefix, range, size));
  // Unfinished tasks are in the queue. The history has final states only.
  if (filter.statuses?.some((status) => !isFinished(status))) {
    sources.push(openTasks(kv, projectId, filter));
  }
  let batch: Found[] = [];
  let last = Infinity;
  for await (const found of mergeNewest(sources, (a, b) => a.id > b.id)) {
    // A task that ends while this reads may be found twice.
    if (found.id === last) continue;
    last = found.id;
    batch.push(found);
    if (batch.length < size) continue;
    yield await rowsOf(kv, projectId, batch);
    batch = [];
  }
  yield await rowsOf(kv, projectId, batch);
}

/** Returns the rows of found tasks. Either all of them have a row or none has. */
async function rowsOf(kv: Deno.Kv, projectId: number, found: Found[]): Promise<TaskRow[]> {
  const rows = found.flatMap(({ task }) => task ?? []);
  return rows.length > 0 ? rows : await getTasks(kv, found.map(({ id }) => [projectId, id]));
}

/** Yields the tasks of the queue that may match. */
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

/**
 * Yields the entries of an index, newest first. The task rows themselves serve as an index, too.
 */
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

/**
 * Returns key prefixes whose last part is a task id. Together they have all finished tasks that
 * match, apart from the time.
 */
export function indicesOf(
  projectId: number,
  { templateId = 0, statuses, ...filter }: TaskFilter,
): Deno.KvKey[] {
  const { userId, triggers, runnerId } = filter;
  if (userId === undefined && !triggers && !statuses && runnerId === undefined) {
    const all = rowKeys.tasks(projectId);
    return [templateId === 0 ? all : rowKeys.tasksByTemplate(projectId, templateId)];
  }
  return initiatorKeys(filter).flatMap((initiator) =>
    (statuses?.filter(isFinished) ?? [""]).map((status) =>
      rowKeys.taskHistory(projectId, templateId, initiator, status)
    )
  );
}

/**
 * Within a project ids grow with time, except when the clocks of servers differ or are set back, by
 * at most this much.
 */
const CLOCK_SLACK_MS = 2 * 3_600_000;

/** Returns the range of ids in which tasks can match, from `start` up to but excluding `end`. */
async function idRange(
  kv: Deno.Kv,
  projectId: number,
  { before, from, to }: { before?: number; from?: string; to?: string },
) {
  const shifted = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString();
  const start = from === undefined
    ? 0
    : await firstIdSince(kv, projectId, shifted(from, -CLOCK_SLACK_MS));
  const end = to === undefined
    ? Number.MAX_SAFE_INTEGER
    : await firstIdSince(kv, projectId, shifted(to, CLOCK_SLACK_MS));
  return { start, end: Math.max(start, Math.min(end, before ?? end)) };
}

/**
 * Returns an id at which the project's tasks since `time` begin. A binary search takes some 20
 * reads.
 */
async function firstIdSince(kv: Deno.Kv, projectId: number, time: string): Promise<number> {
  const prefix = rowKeys.tasks(projectId);
  const [newest] = await firstTask(kv, { prefix }, true);
  let low = 0;
  let high = (newest?.id ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [task] = await firstTask(kv, { start: [...prefix, middle], end: [...prefix, high] });
    if (task && task.created < time) low = task.id + 1;
    else high = middle;
  }
  return low;
}

const firstTask = (kv: Deno.Kv, selector: Deno.KvListSelector, reverse = false) =>
  Array.fromAsync(kv.list<TaskRow>(selector, { limit: 1, reverse }), ({ value }) => value);
