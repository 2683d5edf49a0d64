import { idRange } from "../../store/id_range.ts";
import {
  type Indexed,
  type IndexedList,
  readIndices,
  takeMatching,
} from "../../store/indexed_list.ts";
import { rowKeys } from "../../store/keys.ts";
import { countOf } from "../../store/counted.ts";
import type { Store } from "../../store/store.ts";
import { getTasks } from "../../model/tasks.ts";
import { listOpenTasks } from "../open_tasks.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { isFinished } from "../../model/status.ts";
import { RUN_TRIGGERS } from "../trigger.ts";
import { comparedOf, matchesFilter, type TaskFilter } from "./filter.ts";
import { initiatorKeys } from "./index_keys.ts";
import { inGroups } from "../../base/groups.ts";

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
  const size = Math.min(limit + 1, BATCH_MAX);
  const { rows, hasNext } = await takeMatching(
    candidates(kv, projectId, filter, size),
    limit,
    (tasks) =>
      tasks.filter((task) =>
        !(filter.last_attempts && task.attempt?.next_id) && matchesFilter(comparedOf(task), filter)
      ),
  );
  return { tasks: rows, hasNext };
}

/** Indices of tasks end in their ids, and lists show the newest first. */
export const taskList: IndexedList = { parts: 1, isReverse: true };

const BATCH_MAX = 500;

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
  // Unfinished tasks are in the queue. The history has final states only.
  const isOpen = filter.statuses?.some((status) => !isFinished(status));
  const also = isOpen ? [openTasks(kv, projectId, filter)] : [];
  const entries = readIndices<true | TaskRow>(kv, taskList, indices, {
    range,
    batchSize: size,
    also,
  });
  for await (const found of inGroups(entries, size)) yield await rowsOf(kv, projectId, found);
}

/** Returns the rows of found tasks. Either all entries have a row or none has. */
async function rowsOf(
  kv: Store,
  projectId: number,
  found: Indexed<true | TaskRow>[],
): Promise<TaskRow[]> {
  const rows = found.flatMap(({ value }) => value === true ? [] : value);
  return rows.length > 0
    ? rows
    : await getTasks(kv, found.map(({ key }) => [projectId, key.at(-1) as number]));
}

/** Yields the tasks of the queue that may match. */
async function* openTasks(
  kv: Store,
  projectId: number,
  { statuses, templateId, before = Infinity }: TaskFilter,
): AsyncGenerator<Indexed<true>> {
  for (const task of (await listOpenTasks(kv)).reverse()) {
    if (task.project_id !== projectId || task.id >= before) continue;
    if (!statuses?.includes(task.status)) continue;
    if (templateId === undefined || task.template_id === templateId) {
      yield { key: rowKeys.task(projectId, task.id), value: true };
    }
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
