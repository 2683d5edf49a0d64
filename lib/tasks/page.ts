import type { ProjectScope } from "../access/scope.ts";
import { AppError } from "../base/errors.ts";
import { getLogHead, readLog, takeLines } from "./log_store.ts";
import type { LogRecord } from "./log_chunk.ts";
import { FOLLOWED_LINES, type LogWindow, logWindow, WINDOW_LINES } from "./log_window.ts";
import { followTaskLog, getTask, readTaskLog } from "./service.ts";

/** Lines that a page shows before its script asks for all. */
const TAIL_LINES = 300;

/** A task and its newest lines. Throws 404 for tasks of other projects. */
async function loadTask(scope: ProjectScope, id: number) {
  const { deps: { kv } } = scope;
  const task = await getTask(scope, id);
  const { lines } = await getLogHead(kv, id);
  const tail: LogRecord[] = [];
  const newest = readLog(kv, id, Math.max(0, lines - TAIL_LINES));
  for await (const records of takeLines(newest, TAIL_LINES)) tail.push(...records);
  return { task, tail };
}

/** A task, and the window of its output that the address's `from` names. */
export async function loadTaskWindow(scope: ProjectScope, id: number, url: URL) {
  const task = await getTask(scope, id);
  const from = url.searchParams.get("from") ?? "";
  const wanted = /^\d{1,12}$/.test(from) ? Number(from) : null;
  return { task, window: logWindow(wanted, await getLogHead(scope.deps.kv, id)) };
}

/** The lines of a window; of one that follows, also those that come, up to a bound. */
export async function readWindow(
  scope: ProjectScope,
  taskId: number,
  { from, to, follows }: LogWindow,
  signal: AbortSignal,
): Promise<AsyncGenerator<LogRecord[]>> {
  return follows
    ? takeLines(
      followTaskLog(scope, taskId, signal, from - 1),
      WINDOW_LINES + FOLLOWED_LINES,
    )
    : await readTaskLog(scope, taskId, from - 1, to - from + 1);
}

/**
 * The task that the address's `t` names, and the address to go back to, at the task's row where the
 * page has one; null when there is none.
 */
export async function loadTaskOver(scope: ProjectScope, url: URL) {
  const id = url.searchParams.get("t") ?? "";
  if (!/^\d{1,15}$/.test(id)) return null;
  const below = new URL(url);
  below.searchParams.delete("t");
  below.hash = `task-${id}`;
  try {
    const loaded = await loadTask(scope, Number(id));
    return { ...loaded, close: below.pathname + below.search + below.hash };
  } catch (error) {
    // A task that was deleted meanwhile: the page below is still worth showing.
    if (error instanceof AppError && error.status === 404) return null;
    throw error;
  }
}
