import type { ProjectScope } from "../../access/scope.ts";
import { inGroups } from "../../base/groups.ts";
import {
  type Count,
  COUNTED_MAX,
  countOf,
  countRows,
  type ListPosition,
} from "../../store/counted.ts";
import { firstOfEach } from "../../store/first_of_each.ts";
import { getAll } from "../../store/rows/get_all.ts";
import { idRange } from "../../store/id_range.ts";
import {
  countBefore,
  type IndexedList,
  readIndices,
  takeMatching,
} from "../../store/indexed_list.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import { getUsers } from "../../model/accounts.ts";
import type { RunRow, RunView } from "../run_schema.ts";
import type { RunStatus } from "../step_state.ts";
import { isFinalStatus, runIndex, type RunStarterKey, starterKeyOf } from "./index_keys.ts";
import { runKey } from "./new_run.ts";
import { shownStatuses } from "./status.ts";
import { runViews } from "./view.ts";

/** Filter for the runs of a project's workflows. */
export interface RunFilter {
  limit: number;
  /** Only runs with a smaller id. */
  before?: number;
  workflowId?: number;
  starter?: RunStarterKey;
  /** Any of these statuses; all statuses when missing. */
  statuses?: readonly RunStatus[];
  /** RFC 3339 in UTC, compared with the time when the run was created. */
  from?: string;
  to?: string;
}

/**
 * Returns the matching runs of a project, latest first. A page costs only what it shows, because
 * each filter and each combination has an index or a few that are merged. Runs that have not ended
 * are searched, and their number is bounded.
 */
export async function listProjectRuns(
  { deps: { kv }, projectId }: ProjectScope,
  filter: RunFilter,
): Promise<{ runs: RunView[]; hasNext: boolean }> {
  const { rows, hasNext } = await takeRuns(kv, projectId, filter, filter.limit + 1);
  return { runs: await runViews(kv, rows), hasNext };
}

/** Returns the first rows that match, `size` of which are read at once. */
const takeRuns = (kv: Store, projectId: number, filter: RunFilter, size: number) =>
  takeMatching(candidates(kv, projectId, filter, size), filter.limit, async (rows) => {
    const statuses = await shownStatuses(kv, rows);
    return rows.filter((row, n) => matches(row, statuses[n], filter));
  });

/** Indices of runs end in their ids, and lists show the latest first. */
const runList: IndexedList = { parts: 1, isReverse: true };

const matches = (
  run: RunRow,
  status: RunStatus,
  { workflowId, starter, statuses, from, to }: RunFilter,
): boolean =>
  (workflowId === undefined || run.workflow_id === workflowId) &&
  (starter === undefined || starterKeyOf(run) === starter) &&
  (statuses?.includes(status) ?? true) &&
  (from === undefined || run.created >= from) &&
  (to === undefined || run.created <= to);

/** Yields the runs found in the indices, latest first, `size` at a time. Almost all match. */
async function* candidates(
  kv: Store,
  projectId: number,
  filter: RunFilter,
  size: number,
): AsyncGenerator<RunRow[]> {
  const range = await idRange(kv, rowKeys.workflowRuns(projectId), filter);
  const indices = indicesOf(projectId, filter);
  if (filter.statuses?.some((status) => !isFinalStatus(status))) {
    indices.push(rowKeys.openWorkflowRuns(projectId));
  }
  for await (
    const found of inGroups(readIndices(kv, runList, indices, { range, batchSize: size }), size)
  ) {
    const ids = found.map(({ key }) => key.at(-1) as number);
    const rows = await getAll<RunRow>(kv, ids.map((id) => runKey({ project_id: projectId, id })));
    yield rows.flatMap(({ value }) => value ?? []);
  }
}

/** Returns the indices that together have all matching runs that have ended, or all runs. */
const indicesOf = (
  projectId: number,
  { workflowId, starter, statuses }: RunFilter,
): Deno.KvKey[] =>
  (statuses?.filter(isFinalStatus) ?? ["" as const]).map((status) =>
    runIndex(projectId, { workflowId, starter, status })
  );

/**
 * Returns the position of a page of runs among all that match. Indices know their counts. Runs
 * filtered by time, and those that have not ended, are counted up to a bound.
 */
export async function positionInRuns(
  scope: ProjectScope,
  filter: RunFilter,
): Promise<ListPosition> {
  const { deps: { kv }, projectId } = scope;
  const { before, statuses, from, to } = filter;
  if (from !== undefined || to !== undefined || !(statuses?.every(isFinalStatus) ?? true)) {
    return { skipped: before === undefined ? 0 : null, of: await countFound(scope, filter) };
  }
  const indices = indicesOf(projectId, filter);
  const [skipped, count] = await Promise.all([
    countBefore(kv, runList, indices, before === undefined ? null : [before]),
    countOf(kv, indices),
  ]);
  return { skipped, of: { count } };
}

async function countFound(
  { deps: { kv }, projectId }: ProjectScope,
  filter: RunFilter,
): Promise<Count> {
  const all = { ...filter, before: undefined, limit: COUNTED_MAX };
  const { rows, hasNext } = await takeRuns(kv, projectId, all, 50);
  return { count: rows.length, ...hasNext && { isMore: true } };
}

/** Number of the project's runs that have not ended, which is bounded. */
export const countOpenRuns = async ({ deps: { kv }, projectId }: ProjectScope): Promise<number> =>
  (await countRows(kv, { prefix: rowKeys.openWorkflowRuns(projectId) })).count;

/** Maximum number of people that a filter offers. */
const PEOPLE_MAX = 200;

/** Returns the names of people who started runs of the project, by user id in ascending order. */
export async function listRunStarters(
  { deps: { kv }, projectId }: ProjectScope,
): Promise<ReadonlyMap<number, string>> {
  const ids: number[] = [];
  for await (const { part } of firstOfEach(kv, rowKeys.workflowRunStarters(projectId, 0))) {
    if (part > 0) ids.push(part);
    if (ids.length === PEOPLE_MAX) break;
  }
  const users = await getUsers(kv, ids);
  return new Map(ids.map((id) => [id, users.get(id)?.name ?? `#${id}`]));
}
