import type { ProjectScope } from "../access/scope.ts";
import { notFound } from "../base/errors.ts";
import { newestActivity } from "../events/activity.ts";
import { requireRow } from "../kv/row_reader.ts";
import type { TaskFilter } from "../tasks/filter.ts";
import { listHistory } from "../tasks/history.ts";
import { getTask } from "../tasks/repository.ts";
import type { TaskRow } from "../tasks/schema.ts";
import { commitsOf } from "./commits.ts";
import { factsOf } from "./facts.ts";
import { resultsOf } from "./results.ts";
import type { CommitsPart, Fact, Pair, ResultsPart, TemplateChange } from "./schema.ts";

/** Two runs side by side. Each part is made of the pair alone, by a function of its own. */
interface Comparison extends Pair {
  facts: Fact[];
  commits: CommitsPart | null;
  changes: TemplateChange[];
  results: ResultsPart;
}

interface Asked {
  /** The run that is asked about; without one, the template's newest. */
  run?: number;
  /** What it is compared with; without one, the last before it that went well. */
  base?: number;
  /** Fetches the history of the repository, where commits are missing. */
  fetch: boolean;
}

/** Runs that are offered. */
const CHOICES_MAX = 100;

/**
 * Two runs of a template side by side, and the newest ones to choose others from. Null where there
 * is nothing to compare with. Throws not found for runs that are not the template's.
 */
export async function compareRuns(
  scope: ProjectScope,
  templateId: number,
  { run: id, base: baseId, fetch }: Asked,
): Promise<{ choices: TaskRow[]; run: TaskRow | null; comparison: Comparison | null }> {
  const { deps: { kv }, projectId } = scope;
  await requireRow(kv, "templates", projectId, templateId);
  const { tasks: choices } = await listHistory(kv, projectId, { templateId, limit: CHOICES_MAX });
  const runOf = async (id: number) => {
    const task = await getTask(kv, projectId, id);
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

/** The last run of the template before this one that went well. */
async function lastGood(
  { deps: { kv }, projectId }: ProjectScope,
  { id: before, template_id: templateId }: TaskRow,
): Promise<TaskRow | null> {
  const filter: TaskFilter = { templateId, statuses: ["success"], before, limit: 1 };
  return (await listHistory(kv, projectId, filter)).tasks.at(0) ?? null;
}

/** Changes of templates that are looked through, the newest first. */
const CHANGES_MAX = 500;

/** When the template was changed between the two runs, as far as its project's activity tells. */
async function changesOf(
  { deps: { kv }, projectId }: ProjectScope,
  { run, base }: Pair,
): Promise<TemplateChange[]> {
  const [from, to] = [run.created, base.created].toSorted();
  const events = await newestActivity(kv, projectId, { kind: "template", limit: CHANGES_MAX });
  return events.filter(({ row }) =>
    row.object_id === run.template_id && row.action === "updated" && row.created > from &&
    row.created <= to
  ).map(({ row: { created, username } }) => ({ time: created, by: username }));
}
