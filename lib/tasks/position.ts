import type { ProjectScope } from "../access/scope.ts";
import { type Count, COUNTED_MAX, countOf, countRows, type ListPosition } from "../kv/counted.ts";
import type { TaskFilter } from "./filter.ts";
import { indicesOf, listHistory } from "./history.ts";
import { isFinished } from "./status.ts";

/**
 * Returns the position of a page of tasks among all that match. Indices know their counts. Tasks
 * filtered by time, unfinished tasks, and those of a runner by their initiator have no index and
 * are counted up to a bound.
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
  const indices = indicesOf(projectId, filter);
  const [count, skipped] = await Promise.all([
    countOf(kv, indices),
    before === undefined ? 0 : countNewer(kv, indices, before),
  ]);
  return { skipped, of: { count } };
}

const isIndexed = (
  { statuses, from, to, runnerId, userId, triggers }: TaskFilter,
): boolean =>
  from === undefined && to === undefined && (statuses?.every(isFinished) ?? true) &&
  (runnerId === undefined || (userId === undefined && !triggers));

async function countNewer(kv: Deno.Kv, indices: Deno.KvKey[], id: number): Promise<number | null> {
  const counts = await Promise.all(
    indices.map((index) =>
      countRows(kv, { start: [...index, id], end: [...index, Number.MAX_SAFE_INTEGER] })
    ),
  );
  if (counts.some(({ isMore }) => isMore)) return null;
  return counts.reduce((sum, { count }) => sum + count, 0);
}

async function countFound(kv: Deno.Kv, projectId: number, filter: TaskFilter): Promise<Count> {
  const all = { ...filter, before: undefined, limit: COUNTED_MAX };
  const { tasks, hasNext } = await listHistory(kv, projectId, all);
  return { count: tasks.length, isMore: hasNext };
}
