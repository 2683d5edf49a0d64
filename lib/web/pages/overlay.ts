import type { ProjectScope } from "../../access/scope.ts";
import { AppError } from "../../base/errors.ts";
import { aboutTask, namedLine, type TaskAbout } from "./task_about.ts";
import type { LogRecord } from "../../output/chunk.ts";
import { belowTask, OVER_TASK } from "./overlay_address.ts";
import { getLogHead, type LogHead, readLog, takeLines } from "../../output/store.ts";

/** Number of lines of an output that a page contains before its script requests more. */
const START_LINES = 200;

/** A task in an overlay of a page, with the initial part of its output. */
export interface TaskOverlay extends TaskAbout {
  /** Null if the output is not shown. */
  start: { records: LogRecord[]; lines: number } | null;
  line: number | null;
  /** The page below without sub-path, at the task's row if it has one. */
  close: string;
}

/**
 * Loads the task that the URL's `t` names, around the line that the URL names, or else around its
 * first failure or at its end; null if it names none. If the task does not exist or belongs to
 * another project, `missing` is its id.
 */
export async function loadTaskOverlay(
  scope: ProjectScope,
  url: URL,
  showsOutput: boolean,
): Promise<TaskOverlay | { missing: string; close: string } | null> {
  const id = url.searchParams.get(OVER_TASK) ?? "";
  if (!/^\d{1,15}$/.test(id)) return null;
  const here = new URL(url);
  here.searchParams.delete("line");
  const below = belowTask(url);
  const close = below.pathname.slice(scope.deps.config.basePath.length) + below.search;
  try {
    const about = await aboutTask(scope, Number(id), here);
    const head = await getLogHead(scope.deps.kv, about.task.id);
    const line = namedLine(url, head) ?? about.task.failure_line;
    const start = showsOutput ? await readStart(scope, about.task.id, head, line) : null;
    return { ...about, start, line, close: `${close}#task-${id}` };
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return { missing: id, close };
    throw error;
  }
}

/** Reads the latest lines, or those around one line. */
async function readStart(
  { deps: { kv } }: ProjectScope,
  taskId: number,
  { lines }: LogHead,
  line: number | null,
) {
  const end = line === null ? lines : Math.min(lines, line + START_LINES / 2);
  const records: LogRecord[] = [];
  const newest = readLog(kv, taskId, Math.max(0, end - START_LINES));
  for await (const some of takeLines(newest, Math.min(end, START_LINES))) records.push(...some);
  return { records, lines };
}
