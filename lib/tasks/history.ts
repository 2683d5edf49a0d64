import { idRange } from "../store/id_range.ts";
import { rowKeys } from "../store/keys.ts";
import { countOf } from "../store/counted.ts";
import type { Store } from "../store/store.ts";
import { getTasks } from "../model/tasks.ts";
import { listOpenTasks } from "./open_tasks.ts";
import type { TaskRow } from "../model/task_row.ts";
import { isFinished } from "../model/status.ts";
import { RUN_TRIGGERS } from "./trigger.ts";
import { comparedOf, matchesFilter, type TaskFilter } from "./filter.ts";
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
 * a runner are searched for those of an initiator, and those of a workflow for those of a runner.
 */
export async function listHistory(
  kv: Store,
  projectId: number,
  filter: TaskFilter,
): Promise<HistoryPage> {
  const { limit } = filter;
  const found: TaskRow[] = [];
  // One task more than requested shows whether there is a next page.
  for await (const tasks of candidates(kv, projectId, filter, Math.min(limit + 1, BATCH_MAX))) {
    found.push(
      ...tasks.filter((task) => {
        if (filter.stories && task.attempt?.next_id) return false;
        return matchesFilter(comparedOf(task), filter);
      }),
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
  kv: Store,
  projectId: number,
  filter: TaskFilter,
  size: number,
): AsyncGenerator<TaskRow[]> {
  const range = await idRange(kv, rowKeys.tasks(projectId), filter);
  const indices = await indicesOf(kv, projectId, filter);
  const sources = indices.map((prefix) => indexed(kv, prefix, range, size));
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
async function rowsOf(kv: Store, projectId: number, found: Found[]): Promise<TaskRow[]> {
  const rows = found.flatMap(({ task }) => task ?? []);
  return rows.length > 0 ? rows : await getTasks(kv, found.map(({ id }) => [projectId, id]));
}

/** Yields the tasks of the queue that may match. */
async function* openTasks(
  kv: Store,
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
  kv: Store,
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
export async function indicesOf(
  kv: Store,
  projectId: number,
  { templateId = 0, statuses, ...filter }: TaskFilter,
): Promise<Deno.KvKey[]> {
  const { userId, triggers, runnerId, workflowId } = filter;
  const isAny = userId === undefined && runnerId === undefined && workflowId === undefined;
  let wanted = filter;
  if (isAny && !triggers && !statuses) {
    if (templateId !== 0) return [rowKeys.tasksByTemplate(projectId, templateId)];
    const checks = await countOf(kv, [rowKeys.taskHistory(projectId, 0, "check", "")]);
    if (checks === 0) return [rowKeys.tasks(projectId)];
    // Most rows may be those of checks, so the others are merged instead.
    wanted = { ...filter, triggers: RUN_TRIGGERS };
  }
  return initiatorKeys(wanted).flatMap((initiator) =>
    (statuses?.filter(isFinished) ?? [""]).map((status) =>
      rowKeys.taskHistory(projectId, templateId, initiator, status)
    )
  );
}
