import type { ProjectScope } from "../access/scope.ts";
import { lineFilter } from "./log_search.ts";
import { getLogHead, takeLines } from "./log_store.ts";
import type { LogRecord } from "./log_chunk.ts";
import { FOLLOWED_LINES, type LogWindow, logWindow, WINDOW_LINES } from "./log_window.ts";
import { followTaskLog, readTaskLog } from "./service.ts";
import { aboutTask, namedLine, numberOf, type TaskAbout } from "./about.ts";

/** Lines that a page without script shows before the one that its address names. */
const LEAD_LINES = 5;
/** Matches that a page without script shows. */
const MATCHES_MAX = 1_000;

/** A page without script: a task, and the lines of its output that the address asks for. */
export interface TaskPage extends TaskAbout {
  window: LogWindow;
  /** The line that is pointed at. */
  line: number | null;
  /** Only lines that hold this are shown, wherever they are; empty for the window. */
  wanted: string;
}

/**
 * A task, and what of its output an address asks for: the window that begins at `from`, the one
 * with line `line`, or the lines that hold `q`.
 */
export async function loadTaskPage(scope: ProjectScope, id: number, url: URL): Promise<TaskPage> {
  const about = await aboutTask(scope, id, url);
  const head = await getLogHead(scope.deps.kv, id);
  const line = namedLine(url, head);
  const from = line === null
    ? numberOf(url.searchParams.get("from"))
    : Math.max(1, line - LEAD_LINES);
  const wanted = (url.searchParams.get("q") ?? "").trim().slice(0, 200);
  return { ...about, window: logWindow(from, head), line, wanted };
}

/** The lines of a page; of a window that follows also those that come, up to a bound. */
export async function readPage(
  scope: ProjectScope,
  { task: { id }, window: { from, to, follows }, wanted }: TaskPage,
  signal: AbortSignal,
): Promise<AsyncGenerator<LogRecord[]>> {
  if (wanted !== "") {
    return takeLines(matching(await readTaskLog(scope, id), wanted), MATCHES_MAX);
  }
  return follows
    ? takeLines(followTaskLog(scope, id, signal, from - 1), WINDOW_LINES + FOLLOWED_LINES)
    : await readTaskLog(scope, id, from - 1, to - from + 1);
}

async function* matching(chunks: AsyncIterable<LogRecord[]>, wanted: string) {
  const holds = lineFilter(wanted);
  for await (const records of chunks) {
    const found = records.filter(holds);
    if (found.length > 0) yield found;
  }
}
