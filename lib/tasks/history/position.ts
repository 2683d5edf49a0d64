import type { ProjectScope } from "../../access/scope.ts";
import { type Sight, sightOf } from "../../access/sight.ts";
import { type Count, COUNTED_MAX, countOf, type ListPosition } from "../../store/counted.ts";
import { countBefore } from "../../store/indexed_list.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import { type Compared, matchesFilter, type TaskFilter } from "./filter.ts";
import { indicesOf, indicesOfTemplates, listHistory, taskList } from "./history.ts";
import { filterSeen, seenTemplateIds } from "./seen.ts";
import { isFinished } from "../../model/status.ts";

/**
 * Returns the position of a page of tasks among all that match and that pages show. Indices know
 * their counts. Tasks filtered by time, unfinished tasks, and those of a runner by their initiator
 * or workflow have no index and are counted up to a bound.
 */
export async function positionInTasks(
  scope: ProjectScope,
  asked: TaskFilter,
): Promise<ListPosition> {
  const { deps: { kv }, projectId } = scope;
  const sight = await sightOf(scope);
  const filter = filterSeen(asked, sight);
  if (!filter) return { skipped: 0, of: { count: 0 } };
  const { before, templateId } = filter;
  const isFirst = before === undefined;
  if (!isIndexed(filter)) {
    return {
      skipped: isFirst ? 0 : null,
      of: await countFound(kv, projectId, filter, sight),
    };
  }
  if (templateId === undefined && sight.hidden("templates").size > 0) {
    return { skipped: isFirst ? 0 : null, of: await countSeen(kv, projectId, filter, sight) };
  }
  const indices = await indicesOf(kv, projectId, filter);
  const [count, skipped, repeated] = await Promise.all([
    countOf(kv, indices),
    countBefore(kv, taskList, indices, before === undefined ? null : [before]),
    listRepeated(kv, projectId, filter, sight),
  ]);
  const newer = repeated.filter((id) => id >= (before ?? Infinity)).length;
  return {
    skipped: skipped && Math.max(0, skipped - newer),
    of: { count: Math.max(0, count - repeated.length) },
  };
}

/** Number of templates whose counts are added, or subtracted from those of all. */
const TEMPLATES_MAX = 500;

/**
 * Counts the tasks of the templates that someone sees. The counts of those are added, or if they
 * are more, those of the hidden ones are subtracted. If both are many, there are more than a page.
 */
async function countSeen(
  kv: Store,
  projectId: number,
  filter: TaskFilter,
  sight: Sight,
): Promise<Count> {
  const hidden = sight.hidden("templates");
  const seen = await seenTemplateIds(kv, projectId, sight);
  const counted = seen.length <= hidden.size ? seen : [...hidden];
  if (counted.length > TEMPLATES_MAX) return { count: filter.limit, isMore: true };
  const [part, all, repeated] = await Promise.all([
    indicesOfTemplates(kv, projectId, filter, counted).then((indices) => countOf(kv, indices)),
    counted === seen ? null : indicesOf(kv, projectId, filter).then((found) => countOf(kv, found)),
    listRepeated(kv, projectId, filter, sight),
  ]);
  return { count: Math.max(0, (all === null ? part : all - part) - repeated.length) };
}

/** Number of repeated attempts that are left out of the counts. */
const REPEATED_MAX = 1_000;

/** Returns the latest attempts that match, but are not shown because another one follows. */
async function listRepeated(
  kv: Store,
  projectId: number,
  filter: TaskFilter,
  sight: Sight,
): Promise<number[]> {
  const selector = { prefix: rowKeys.repeatedTasks(projectId) };
  const rows = kv.list<Compared>(selector, { limit: REPEATED_MAX, reverse: true, batchSize: 500 });
  const found = await Array.fromAsync(rows);
  return found.flatMap(({ key, value }) =>
    matchesFilter(value, filter) && sight.maySee("templates", value.template_id)
      ? key.at(-1) as number
      : []
  );
}

const isIndexed = (
  { statuses, from, to, runnerId, workflowId, userId, triggers }: TaskFilter,
): boolean =>
  from === undefined && to === undefined && (statuses?.every(isFinished) ?? true) &&
  (runnerId === undefined ||
    (userId === undefined && workflowId === undefined && !triggers));

async function countFound(
  kv: Store,
  projectId: number,
  filter: TaskFilter,
  sight: Sight,
): Promise<Count> {
  const all = { ...filter, before: undefined, limit: COUNTED_MAX, last_attempts: true } as const;
  const { tasks, hasNext } = await listHistory(kv, projectId, all, sight);
  return { count: tasks.length, isMore: hasNext };
}
