import type { ProjectScope } from "../../access/scope.ts";
import type { Sentence } from "../../base/errors.ts";
import { aboutTask, namedLine, numberOf, type TaskAbout } from "./task_about.ts";
import type { MarkedRecord } from "../../output/highlights.ts";
import { isAsked, type LogQuery, queryOf } from "../../output/query.ts";
import type { LogSections } from "../../output/matches.ts";
import { matchingLines, problemOf } from "../../search/output.ts";
import { getLogHead, takeLines } from "../../output/store.ts";
import { FOLLOWED_LINES, type LogWindow, logWindow, WINDOW_LINES } from "../../output/window.ts";
import { listSections } from "../../results/log_failures.ts";
import { followTaskLog, readTaskLog } from "../../tasks/service.ts";

/** Lines that a page without script shows before the one that its address names. */
const LEAD_LINES = 5;

/** Plays and tasks that it lists at once. */
const OUTLINE_MAX = 500;

/** A page without script: a task, and the lines of its output that the address asks for. */
export interface TaskPage extends TaskAbout {
  window: LogWindow;
  /** The line that is pointed at. */
  line: number | null;
  /** Only lines that match this are shown, wherever they are; null for the window. */
  search: PageSearch | null;
  /** Its plays and their tasks, behind the first `skip` of them. */
  outline: LogSections & { skip: number };
}

export interface PageSearch {
  query: LogQuery;
  /** It is looked behind this line. */
  after: number;
  /** Why nothing can be found so. */
  problem: Sentence | null;
}

/**
 * A task, and what of its output an address asks for: the window that begins at `from`, the one
 * with line `line`, or the lines that match `q`.
 */
export async function loadTaskPage(scope: ProjectScope, id: number, url: URL): Promise<TaskPage> {
  const about = await aboutTask(scope, id, url);
  const head = await getLogHead(scope.deps.kv, id);
  const line = namedLine(url, head);
  const from = line === null
    ? numberOf(url.searchParams.get("from"))
    : Math.max(1, line - LEAD_LINES);
  const skip = numberOf(url.searchParams.get("parts")) ?? 0;
  const outline = { ...await listSections(scope, id, skip, OUTLINE_MAX), skip };
  return { ...about, window: logWindow(from, head), line, search: searchOf(url), outline };
}

function searchOf(url: URL): PageSearch | null {
  const query = queryOf(url);
  if (!isAsked(query)) return null;
  const after = numberOf(url.searchParams.get("after")) ?? 0;
  return { query, after, problem: problemOf(query) };
}

/** Lines of a page, and the last one that was looked at for it. */
interface PageLines {
  records: MarkedRecord[];
  to: number;
}

/** The lines of a page; of a window that follows also those that come, up to a bound. */
export async function* readPage(
  scope: ProjectScope,
  { task: { id }, window: { from, to, follows }, search }: TaskPage,
  gone: AbortSignal,
): AsyncGenerator<PageLines> {
  if (search) {
    if (search.problem) return;
    yield* matchingLines(scope, id, search.query, search.after, gone);
    return;
  }
  const chunks = follows
    ? takeLines(followTaskLog(scope, id, gone, from - 1), WINDOW_LINES + FOLLOWED_LINES)
    : await readTaskLog(scope, id, from - 1, to - from + 1);
  for await (const records of chunks) yield { records, to: records.at(-1)!.id };
}
