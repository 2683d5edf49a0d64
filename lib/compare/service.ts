import type { ProjectScope } from "../access/scope.ts";
import { getSeenTask } from "../access/seen/tasks.ts";
import { sightOf } from "../access/sight.ts";
import { AppError, notFound } from "../base/errors.ts";
import { newestMatching } from "../events/find.ts";
import { requireRow } from "../store/rows/row_reader.ts";
import type { TaskFilter } from "../tasks/history/filter.ts";
import { listHistory } from "../tasks/history/history.ts";
import type { TaskRow } from "../model/task_row.ts";
import { factsOf } from "./facts.ts";
import { resultsOf } from "./results.ts";
import type { CommitsPart, ComparedFact, Pair, ResultsPart, TemplateChange } from "./schema.ts";
import { grants } from "../access/permissions.ts";
import { commitsBetween } from "../execution/git/history.ts";
import { repositoryOf } from "../resources/run_resources.ts";
import { withinLimits } from "../connection_tests/limits.ts";

/** Two tasks side by side. Separate functions create each part from the pair alone. */
interface Comparison extends Pair {
  facts: ComparedFact[];
  commits: CommitsPart | null;
  changes: TemplateChange[];
  results: ResultsPart;
}

interface Asked {
  /** Id of the examined task; by default the template's latest. */
  run?: number;
  /** Id of the task with which it is compared; by default the last successful one before it. */
  base?: number;
  /** Whether to fetch the repository's history if commits are missing. */
  fetch: boolean;
}

/** Maximum number of tasks to choose from. */
const CHOICES_MAX = 100;

/**
 * Returns two tasks of a template side by side, and the latest ones to choose others from. Returns
 * null if there is nothing to compare with. Throws 404 for tasks that are not the template's.
 */
export async function compareRuns(
  scope: ProjectScope,
  templateId: number,
  { run: id, base: baseId, fetch }: Asked,
): Promise<{ choices: TaskRow[]; run: TaskRow | null; comparison: Comparison | null }> {
  const { deps: { kv }, projectId } = scope;
  await requireRow(kv, "templates", projectId, templateId);
  const sight = await sightOf(scope);
  if (!sight.maySee("templates", templateId)) throw notFound();
  const filter = { templateId, limit: CHOICES_MAX };
  const { tasks: choices } = await listHistory(kv, projectId, filter, sight);
  const runOf = async (id: number) => {
    const task = await getSeenTask(scope, id);
    if (task.template_id !== templateId) throw notFound();
    return task;
  };
  const run = id === undefined ? choices.at(0) ?? null : await runOf(id);
  const base = baseId === undefined ? run && await lastGood(scope, run) : await runOf(baseId);
  if (!run || !base) return { choices, run, comparison: null };
  const pair = { run, base };
  const [facts, commits, changes, results] = await Promise.all([
    factsOf(scope, pair),
    commitsOf(scope, pair, fetch),
    changesOf(scope, pair),
    resultsOf(scope, pair),
  ]);
  return { choices, run, comparison: { ...pair, facts, commits, changes, results } };
}

/** Returns the last successful task of a task's template before it that the actor sees. */
export async function lastGood(
  scope: ProjectScope,
  { id: before, template_id: templateId }: Pick<TaskRow, "id" | "template_id">,
): Promise<TaskRow | null> {
  const filter: TaskFilter = { templateId, statuses: ["success"], before, limit: 1 };
  const { deps: { kv }, projectId } = scope;
  return (await listHistory(kv, projectId, filter, await sightOf(scope))).tasks.at(0) ?? null;
}

/** Maximum number of template changes that are searched, newest first. */
const CHANGES_MAX = 500;

/**
 * Returns the template's changes between the two tasks, as far as the project's activity has them.
 */
async function changesOf(
  { deps: { kv }, projectId }: ProjectScope,
  { run, base }: Pair,
): Promise<TemplateChange[]> {
  const [from, to] = [run.created, base.created].toSorted();
  const events = await Array.fromAsync(
    newestMatching(kv, projectId, { kind: "template" }, CHANGES_MAX),
  );
  return events.filter(({ row }) =>
    row.object_id === run.template_id && row.action === "updated" && row.created > from &&
    row.created <= to
  ).map(({ row: { created, username } }) => ({ time: created, by: username }));
}

/**
 * Returns the commits between both tasks; null if both have the same commit, or one has none.
 * Fetching the history requires the right to run tasks, because running one fetches it, too.
 */
async function commitsOf(
  scope: ProjectScope,
  { run, base }: Pair,
  isFetched: boolean,
): Promise<CommitsPart | null> {
  const [from, to] = [base.commit_hash, run.commit_hash];
  if (!from || !to || from === to) return null;
  const mayFetch = grants(scope.permissions, "run_tasks");
  const fetch = isFetched && mayFetch;
  const none = { commits: [], isMore: false, isBack: false, mayFetch: mayFetch && !fetch };
  if (run.repository_id !== base.repository_id) {
    return { ...none, mayFetch: false, reason: { key: "compare.other_repository" } };
  }
  try {
    const branch = run.git_branch;
    const plan = await repositoryOf(scope.deps, scope.projectId, run.repository_id, { branch });
    const found = await withinLimits(
      scope,
      (env, stop) => commitsBetween(env, scope.projectId, plan, { from, to, fetch, stop }),
    );
    return found
      ? { ...found, reason: null, mayFetch: false }
      : { ...none, reason: { key: fetch ? "compare.no_way" : "compare.not_fetched" } };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ...none, reason: { key: error.key, params: error.params } };
  }
}
