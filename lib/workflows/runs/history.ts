import type { ProjectScope } from "../../access/scope.ts";
import { seenOf, type Sight, sightOf } from "../../access/sight.ts";
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
import { workflowRows } from "../repository.ts";
import { getSeenWorkflow, maySeeRun } from "../seen.ts";
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
  scope: ProjectScope,
  filter: RunFilter,
): Promise<{ runs: RunView[]; hasNext: boolean }> {
  const seen = await seenFilter(scope, filter);
  if (!seen) return { runs: [], hasNext: false };
  const { rows, hasNext } = await takeRuns(scope, seen, filter.limit + 1);
  return { runs: await runViews(scope.deps.kv, rows, seen.sight), hasNext };
}

/** A page of the runs of a workflow, latest first. */
export async function listRuns(
  scope: ProjectScope,
  workflowId: number,
  page: { limit: number; before?: number },
): Promise<{ runs: RunView[]; hasNext: boolean }> {
  await getSeenWorkflow(scope, workflowId);
  return await listProjectRuns(scope, { ...page, workflowId });
}

/** A filter of what someone sees. If workflows are hidden, it names the others. */
interface SeenFilter extends RunFilter {
  sight: Sight;
  workflowIds?: number[];
}

/** Returns a filter that asks for nothing but runs that the actor sees; null for none. */
async function seenFilter(scope: ProjectScope, filter: RunFilter): Promise<SeenFilter | null> {
  const sight = await sightOf(scope);
  const { workflowId, starter } = filter;
  if (workflowId !== undefined && !sight.maySee("workflows", workflowId)) return null;
  const own = sight.seesAllTasks ? starter : sight.userId ?? undefined;
  if (!sight.seesAllTasks && (own === undefined || ![undefined, own].includes(starter))) {
    return null;
  }
  const asked = { ...filter, starter: own, sight };
  if (workflowId !== undefined || sight.hidden("workflows").size === 0) return asked;
  const all = await workflowRows.list(scope.deps.kv, scope.projectId);
  return {
    ...asked,
    workflowIds: seenOf(all, sight.hidden("workflows")).map(({ id }) => id),
  };
}

/** Returns the first rows that match, `size` of which are read at once. */
const takeRuns = ({ deps: { kv }, projectId }: ProjectScope, filter: SeenFilter, size: number) =>
  takeMatching(candidates(kv, projectId, filter, size), filter.limit, async (rows) => {
    const statuses = await shownStatuses(kv, rows);
    return rows.filter((row, n) =>
      maySeeRun(filter.sight, row) && matches(row, statuses[n], filter)
    );
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
  filter: SeenFilter,
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
  { workflowId, workflowIds = [workflowId ?? 0], starter, statuses }: SeenFilter,
): Deno.KvKey[] =>
  (statuses?.filter(isFinalStatus) ?? ["" as const]).flatMap((status) =>
    workflowIds.map((id) => runIndex(projectId, { workflowId: id, starter, status }))
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
  const seen = await seenFilter(scope, filter);
  if (!seen) return { skipped: 0, of: { count: 0 } };
  if (from !== undefined || to !== undefined || !(statuses?.every(isFinalStatus) ?? true)) {
    return { skipped: before === undefined ? 0 : null, of: await countFound(scope, seen) };
  }
  const indices = indicesOf(projectId, seen);
  const [skipped, count] = await Promise.all([
    countBefore(kv, runList, indices, before === undefined ? null : [before]),
    countOf(kv, indices),
  ]);
  return { skipped, of: { count } };
}

async function countFound(scope: ProjectScope, filter: SeenFilter): Promise<Count> {
  const all = { ...filter, before: undefined, limit: COUNTED_MAX };
  const { rows, hasNext } = await takeRuns(scope, all, 50);
  return { count: rows.length, ...hasNext && { isMore: true } };
}

/** Number of the project's runs that have not ended and that the actor sees, which is bounded. */
export async function countOpenRuns(scope: ProjectScope): Promise<number> {
  const { deps: { kv }, projectId } = scope;
  const prefix = rowKeys.openWorkflowRuns(projectId);
  const sight = await sightOf(scope);
  if (sight.seesAll) return (await countRows(kv, { prefix })).count;
  const ids = await Array.fromAsync(
    kv.list({ prefix }, { limit: COUNTED_MAX, batchSize: 500 }),
    ({ key }) => key.at(-1) as number,
  );
  const rows = await getAll<RunRow>(kv, ids.map((id) => runKey({ project_id: projectId, id })));
  return rows.filter(({ value }) => value && maySeeRun(sight, value)).length;
}

/** Maximum number of people that a filter offers. */
const PEOPLE_MAX = 200;

/** Returns the names of people who started runs that the actor sees, by user id, ascending. */
export async function listRunStarters(
  scope: ProjectScope,
): Promise<ReadonlyMap<number, string>> {
  const { deps: { kv }, projectId } = scope;
  const all: number[] = [];
  for await (const { part } of firstOfEach(kv, rowKeys.workflowRunStarters(projectId, 0))) {
    if (part > 0) all.push(part);
    if (all.length === PEOPLE_MAX) break;
  }
  const { seesAll } = await sightOf(scope);
  const ids = seesAll ? all : await seenStarters(scope, all);
  const users = await getUsers(kv, ids);
  return new Map(ids.map((id) => [id, users.get(id)?.name ?? `#${id}`]));
}

/** Returns those of the people of whom the actor sees a run. */
async function seenStarters(scope: ProjectScope, people: number[]): Promise<number[]> {
  const pages = await Promise.all(
    people.map((starter) => listProjectRuns(scope, { starter, limit: 1 })),
  );
  return people.filter((_, n) => pages[n].runs.length > 0);
}
