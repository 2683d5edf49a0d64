import type { ProjectScope } from "../access/scope.ts";
import { type Count, COUNTED_MAX, countOf, countRows, type Place } from "../kv/counted.ts";
import { indexOf, listHistory, type TaskFilter } from "./history.ts";
import { isFinished } from "./status.ts";

/**
 * Where a page of tasks stands among all that match. How many there are is known of each index; of
 * what none is about, times and tasks that have no end, they are counted to a bound.
 */
export async function placeOfTasks(
  { deps: { kv }, projectId }: ProjectScope,
  filter: TaskFilter,
): Promise<Place> {
  const { before } = filter;
  const index = indexed(filter) ? indexOf(projectId, filter) : null;
  const [of, newer] = await Promise.all([
    index ? countOf(kv, [index]).then((count) => ({ count })) : countFound(kv, projectId, filter),
    index && before !== undefined
      ? countRows(kv, { start: [...index, before], end: [...index, Number.MAX_SAFE_INTEGER] })
      : null,
  ]);
  if (before === undefined) return { skipped: 0, of };
  return { skipped: newer && !newer.isMore ? newer.count : null, of };
}

const indexed = ({ status, from, to }: TaskFilter): boolean =>
  from === undefined && to === undefined && (status === undefined || isFinished(status));

async function countFound(kv: Deno.Kv, projectId: number, filter: TaskFilter): Promise<Count> {
  const all = { ...filter, before: undefined, limit: COUNTED_MAX };
  const { tasks, hasNext } = await listHistory(kv, projectId, all);
  return { count: tasks.length, isMore: hasNext };
}
