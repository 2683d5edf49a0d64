import type { ProjectScope } from "../../access/scope.ts";
import { type Count, COUNTED_MAX, countOf, type ListPosition } from "../../store/counted.ts";
import { countBefore } from "../../store/indexed_list.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import { type Compared, matchesFilter, type TaskFilter } from "./filter.ts";
import { indicesOf, listHistory, taskList } from "./history.ts";
import { isFinished } from "../../model/status.ts";

/**
 * Returns the position of a page of tasks among all that match and that pages show. Indices know
 * their counts. Tasks filtered by time, unfinished tasks, and those of a runner by their initiator
 * or workflow have no index and are counted up to a bound.
 */
export async function positionInTasks(
  { deps: { kv }, projectId }: ProjectScope,
  filter: TaskFilter,
): Promise<ListPosition> {
  const { before } = filter;
  if (!isIndexed(filter)) {
    return {
      skipped: before === undefined ? 0 : null,
      of: await countFound(kv, projectId, filter),
    };
  }
  const indices = await indicesOf(kv, projectId, filter);
  const [count, skipped, hidden] = await Promise.all([
    countOf(kv, indices),
    countBefore(kv, taskList, indices, before === undefined ? null : [before]),
    listHidden(kv, projectId, filter),
  ]);
  const newer = hidden.filter((id) => id >= (before ?? Infinity)).length;
  return {
    skipped: skipped && Math.max(0, skipped - newer),
    of: { count: Math.max(0, count - hidden.length) },
  };
}

/** Number of hidden attempts that are left out of the counts. */
const HIDDEN_MAX = 1_000;

/** Returns the latest attempts that match, but are not shown because another one follows. */
async function listHidden(kv: Store, projectId: number, filter: TaskFilter): Promise<number[]> {
  const selector = { prefix: rowKeys.repeatedTasks(projectId) };
  const rows = kv.list<Compared>(selector, { limit: HIDDEN_MAX, reverse: true, batchSize: 500 });
  const found = await Array.fromAsync(rows);
  return found.flatMap(({ key, value }) =>
    matchesFilter(value, filter) ? key.at(-1) as number : []
  );
}

const isIndexed = (
  { statuses, from, to, runnerId, workflowId, userId, triggers }: TaskFilter,
): boolean =>
  from === undefined && to === undefined && (statuses?.every(isFinished) ?? true) &&
  (runnerId === undefined ||
    (userId === undefined && workflowId === undefined && !triggers));

async function countFound(kv: Store, projectId: number, filter: TaskFilter): Promise<Count> {
  const all = { ...filter, before: undefined, limit: COUNTED_MAX, last_attempts: true } as const;
  const { tasks, hasNext } = await listHistory(kv, projectId, all);
  return { count: tasks.length, isMore: hasNext };
}
