import type { ProjectScope } from "../access/scope.ts";
import { requireSeen, sightOf } from "../access/sight.ts";
import { stillMaySee } from "../access/still_may_see.ts";
import type { Turns } from "../store/limiters/turns.ts";
import { requireRow } from "../store/rows/row_reader.ts";
import type { Store } from "../store/store.ts";
import { listHistory } from "../tasks/history/history.ts";
import { type LineFinder, lineFinder } from "../output/finder.ts";
import { createHighlighter, type Highlighter } from "../output/highlighter.ts";
import type { HighlightedRecord } from "../output/highlights.ts";
import { isAsked, type LogQuery } from "../output/query.ts";
import { scanLog } from "../output/scan.ts";
import type { TaskRow } from "../model/task_row.ts";
import { searchTurns } from "./output.ts";

/** Number of tasks whose rows are read together. */
const RUNS_READ = 50;

/** A task whose output was searched. */
export interface SearchedRun {
  task: TaskRow;
  /** Number of its matching lines, and the first of them. */
  found: number;
  line: HighlightedRecord | null;
}

interface RunsAsked {
  query: LogQuery;
  /** Only tasks with a smaller id. */
  before?: number;
  /** Only tasks created since this time: RFC 3339 in UTC. */
  from?: string;
}

interface RunsWanted extends RunsAsked {
  /**
   * Limits of found tasks, searched tasks and time. The search ends at any of them and can be
   * continued.
   */
  foundMax: number;
  runsMax: number;
  forMs: number;
}

/**
 * Searches the outputs of a template's tasks, newest first, and yields each as soon as it is known.
 * Throws 400 for an invalid regular expression, 404 for templates of other projects, and 429 if the
 * account or the server has too many searches in progress.
 */
export async function* searchRuns(
  scope: ProjectScope<"read_output">,
  templateId: number,
  { query, before, from, foundMax, runsMax, forMs }: RunsWanted,
  gone: AbortSignal,
): AsyncGenerator<SearchedRun> {
  const { deps: { kv }, actor, projectId } = scope;
  await requireRow(kv, "templates", projectId, templateId);
  await requireSeen(scope, "templates", templateId);
  if (!isAsked(query)) return;
  const find = await lineFinder(query, "search");
  const highlight = await createHighlighter(query);
  using turns = searchTurns.join(kv, actor.id, gone);
  await turns.next();
  const until = performance.now() + forMs;
  let [found, runs] = [0, 0];
  for await (const task of newestRuns(scope, templateId, { before, from })) {
    // Checked each time so that people removed from the project see no further task.
    if (!await stillMaySee(scope, "read_output")) return;
    const run = await searchRun(kv, task, { find, highlight }, turns);
    if (gone.aborted) return;
    turns.rest();
    yield run;
    if (run.found > 0) found++;
    if (found >= foundMax || ++runs >= runsMax || performance.now() > until) return;
  }
}

async function* newestRuns(
  scope: ProjectScope,
  templateId: number,
  { before, from }: Omit<RunsAsked, "query">,
): AsyncGenerator<TaskRow> {
  const { deps: { kv }, projectId } = scope;
  for (let last = before;;) {
    const filter = { templateId, before: last, from, limit: RUNS_READ };
    const { tasks, next } = await listHistory(kv, projectId, filter, await sightOf(scope));
    yield* tasks;
    if (next === null) return;
    last = next;
  }
}

async function searchRun(
  kv: Store,
  task: TaskRow,
  { find, highlight }: { find: LineFinder; highlight: Highlighter },
  turns: Turns,
): Promise<SearchedRun> {
  const run: SearchedRun = { task, found: 0, line: null };
  for await (const part of scanLog(kv, task.id, 0, find, turns)) {
    run.line ??= (await highlight(part.records(1))).at(0) ?? null;
    run.found += part.lines.length;
  }
  return run;
}

/** Limits of one API response. */
const ANSWER = { foundMax: 100, runsMax: 1_000, forMs: 2_000 };

/**
 * Returns the template's tasks whose output matches, newest first, and how far the search has come.
 */
export async function searchTemplateRuns(
  scope: ProjectScope<"read_output">,
  templateId: number,
  asked: RunsAsked,
  gone: AbortSignal,
) {
  const runs = [];
  let [searched, last] = [0, null as number | null];
  for await (
    const { task, found, line } of searchRuns(
      scope,
      templateId,
      { ...ANSWER, ...asked },
      gone,
    )
  ) {
    searched++;
    last = task.id;
    if (!line) continue;
    const { id: task_id, status, created } = task;
    runs.push({ task_id, status, created, found, line: line.id, output: line.output });
  }
  return { runs, searched, before: await nextCursor(scope, templateId, last, asked.from) };
}

/** Returns the value of `before` to continue after a task; null if there is no older one. */
export async function nextCursor(
  scope: ProjectScope,
  templateId: number,
  last: number | null,
  from?: string,
): Promise<number | null> {
  if (last === null) return null;
  const filter = { templateId, before: last, from, limit: 1 };
  const { deps: { kv }, projectId } = scope;
  const { tasks } = await listHistory(kv, projectId, filter, await sightOf(scope));
  return tasks.length > 0 ? last : null;
}
