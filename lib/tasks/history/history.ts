import { idRange } from "../../store/id_range.ts";
import {
  type Indexed,
  type IndexedList,
  readIndices,
  takeMatching,
} from "../../store/indexed_list.ts";
import { rowKeys } from "../../store/keys.ts";
import { countOf } from "../../store/counted.ts";
import type { Sight } from "../../access/sight.ts";
import type { Store } from "../../store/store.ts";
import { getTasks } from "../../model/tasks.ts";
import { listOpenTasks } from "../open_tasks.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { isFinished } from "../../model/status.ts";
import { RUN_TRIGGERS } from "../trigger.ts";
import { comparedOf, matchesFilter, type TaskFilter } from "./filter.ts";
import { initiatorKeys } from "./index_keys.ts";
import { inGroups } from "../../base/groups.ts";
import { fewTemplates, filterSeen } from "./seen.ts";

interface HistoryPage {
  tasks: TaskRow[];
  /** Whether older tasks may match, too. */
  hasNext: boolean;
  /** The value of `before` that requests them; null for none. */
  next: number | null;
}

/** Number of tasks that are looked at for a page of someone who does not see all of them. */
const LOOKED_AT_MAX = 3_000;

/**
 * Returns the matching tasks of a project that someone sees, newest first; with null, all for the
 * server itself. A page costs only what it shows, because each filter and each combination has an
 * index or a few indices that are merged. Only the tasks of a runner are searched for those of an
 * initiator, and those of a workflow for those of a runner. Tasks of hidden templates are skipped
 * up to a bound, at which the page ends early.
 */
export async function listHistory(
  kv: Store,
  projectId: number,
  filter: TaskFilter,
  sight: Sight | null,
): Promise<HistoryPage> {
  const asked = filterSeen(filter, sight);
  if (!asked) return { tasks: [], hasNext: false, next: null };
  const { limit } = asked;
  const size = Math.min(limit + 1, BATCH_MAX);
  const look = { tasks: 0, last: null as number | null };
  async function* bounded() {
    for await (const tasks of candidates(kv, projectId, asked!, sight, size)) {
      look.tasks += tasks.length;
      look.last = tasks.at(-1)?.id ?? look.last;
      yield tasks;
      if (sight && !sight.seesAll && look.tasks >= LOOKED_AT_MAX) return;
    }
    look.last = null;
  }
  const { rows, hasNext } = await takeMatching(
    bounded(),
    limit,
    (tasks) =>
      tasks.filter((task) =>
        !(asked.last_attempts && task.attempt?.next_id) &&
        (sight?.maySeeTask(task) ?? true) && matchesFilter(comparedOf(task), asked)
      ),
  );
  const next = hasNext ? rows.at(-1)!.id : look.last;
  return { tasks: rows, hasNext: next !== null, next };
}

/** Indices of tasks end in their ids, and lists show the newest first. */
export const taskList: IndexedList = { parts: 1, isReverse: true };

const BATCH_MAX = 500;
const MANY_INDICES = 20;
const SMALL_BATCH = 10;

/**
 * Yields the tasks found in the indices, newest first, `size` at a time. Almost all of them match.
 */
async function* candidates(
  kv: Store,
  projectId: number,
  filter: TaskFilter,
  sight: Sight | null,
  size: number,
): AsyncGenerator<TaskRow[]> {
  const range = await idRange(kv, rowKeys.tasks(projectId), filter);
  const indices = await indicesSeen(kv, projectId, filter, sight);
  // Unfinished tasks are in the queue. The history has final states only.
  const isOpen = filter.statuses?.some((status) => !isFinished(status));
  const also = isOpen ? [openTasks(kv, projectId, filter)] : [];
  const entries = readIndices<true | TaskRow>(kv, taskList, indices, {
    range,
    // Few of the entries of each of many indices are among the newest.
    batchSize: indices.length > MANY_INDICES ? Math.min(size, SMALL_BATCH) : size,
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
 * Returns the indices that have the tasks that someone sees. If most templates are hidden, they are
 * those of the others.
 */
async function indicesSeen(
  kv: Store,
  projectId: number,
  filter: TaskFilter,
  sight: Sight | null,
): Promise<Deno.KvKey[]> {
  const few = filter.templateId === undefined && sight && await fewTemplates(kv, projectId, sight);
  return few
    ? await indicesOfTemplates(kv, projectId, filter, few)
    : await indicesOf(kv, projectId, filter);
}

/** Returns the indices of some templates. */
export async function indicesOfTemplates(
  kv: Store,
  projectId: number,
  filter: TaskFilter,
  templateIds: Iterable<number>,
): Promise<Deno.KvKey[]> {
  const each = [...templateIds].map((templateId) =>
    indicesOf(kv, projectId, { ...filter, templateId })
  );
  return (await Promise.all(each)).flat();
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
