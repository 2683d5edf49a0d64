import { type ProjectScope, scopeWith } from "../../access/scope.ts";
import type { Sentence } from "../../base/errors.ts";
import { aboutTask, namedLine, numberOf, type TaskAbout } from "./task_about.ts";
import type { HighlightedRecord } from "../../output/highlights.ts";
import { isAsked, type LogQuery } from "../../output/query.ts";
import { queryOf } from "../../output/search_params.ts";
import type { LogSections } from "../../output/matches.ts";
import { matchingLines } from "../../search/output.ts";
import { getLogHead, takeLines } from "../../output/store.ts";
import { FOLLOWED_LINES, type LogWindow, logWindow, WINDOW_LINES } from "../../output/window.ts";
import { listSections } from "../../results/log_failures.ts";
import { followTaskLog, readTaskLog } from "../../tasks/service.ts";
import { isFinished, mayFollow } from "../../model/status.ts";
import { problemOf } from "./query_problem.ts";

/** Lines that a page without script shows before the line named in its URL. */
const LEAD_LINES = 5;

/** Maximum number of plays and Ansible tasks on one page. */
const OUTLINE_MAX = 500;

/** A page without script: a task, and the requested lines of its output. */
export interface TaskPage extends TaskAbout {
  window: LogWindow;
  /** The highlighted line. */
  line: number | null;
  /** Only matching lines are shown, from the whole output; null to show the window. */
  search: PageSearch | null;
  /** Its plays and Ansible tasks after the first `skip`. */
  outline: LogSections & { skip: number };
}

export interface PageSearch {
  query: LogQuery;
  /** The search starts after this line. */
  after: number;
  /** Reason why the search is not possible. */
  problem: Sentence | null;
}

/**
 * Loads a task and the part of its output that the URL names: the window that starts at `from`, the
 * window with line `line` or else with the first failure, or the lines that match `q`.
 */
export async function loadTaskPage(scope: ProjectScope, id: number, url: URL): Promise<TaskPage> {
  const about = await aboutTask(scope, id, url);
  const stored = await getLogHead(scope.deps.kv, id);
  // An imported task may have no output, which nobody has closed then.
  const head = { ...stored, closed: stored.closed || isFinished(about.task.status) };
  const [asked, search] = [numberOf(url.searchParams.get("from")), await searchOf(url)];
  const line = namedLine(url, head) ?? (asked || search ? null : about.task.failure_line);
  const from = line === null ? asked : Math.max(1, line - LEAD_LINES);
  const skip = numberOf(url.searchParams.get("parts")) ?? 0;
  const outline = { ...await listSections(scope, id, skip, OUTLINE_MAX), skip };
  const window = logWindow(from, head);
  // A page that waits for someone's decision would never end, and some browsers show it only then.
  const follows = window.follows && mayFollow(about.task.status);
  return { ...about, window: { ...window, follows }, line, search, outline };
}

async function searchOf(url: URL): Promise<PageSearch | null> {
  const query = queryOf(url);
  if (!isAsked(query)) return null;
  const after = numberOf(url.searchParams.get("after")) ?? 0;
  return { query, after, problem: await problemOf(query) };
}

/** Lines of a page, and the last line that was read for it. */
interface PageLines {
  records: HighlightedRecord[];
  to: number;
}

/**
 * Yields the lines of a page. If its window follows the output, also yields new lines up to a
 * limit.
 */
export async function* readPage(
  scope: ProjectScope,
  { task: { id }, window: { from, to, follows }, search }: TaskPage,
  gone: AbortSignal,
): AsyncGenerator<PageLines> {
  const reader = scopeWith(scope, "read_output");
  if (!reader) return;
  if (search) {
    if (search.problem) return;
    yield* matchingLines(reader, id, search.query, search.after, gone);
    return;
  }
  const chunks = follows
    ? takeLines(followTaskLog(reader, id, gone, from - 1), WINDOW_LINES + FOLLOWED_LINES)
    : await readTaskLog(reader, id, from - 1, to - from + 1);
  for await (const records of chunks) yield { records, to: records.at(-1)!.id };
}
