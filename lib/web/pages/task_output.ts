import { type ProjectScope, scopeWith } from "../../access/scope.ts";
import type { LogRecord } from "../../output/chunk.ts";
import { getLogHead, type LogHead, readLog, takeLines } from "../../output/store.ts";
import { aboutTask, namedLine, type TaskAbout } from "./task_about.ts";

/** Number of lines of an output that a page contains before its script requests more. */
const START_LINES = 200;

/** A task with the initial part of its output. */
export interface TaskOutput extends TaskAbout {
  start: { records: LogRecord[]; lines: number };
  /** The line that the address names, or else the first failure. */
  line: number | null;
}

/** Loads a task's output around the line that the URL names, its first failure, or its end. */
export async function loadTaskOutput(
  scope: ProjectScope,
  id: number,
  url: URL,
): Promise<TaskOutput> {
  const here = new URL(url);
  here.searchParams.delete("line");
  const about = await aboutTask(scope, id, here);
  const head = await getLogHead(scope.deps.kv, id);
  const line = namedLine(url, head) ?? about.task.failure_line;
  const reader = scopeWith(scope, "read_output");
  const start = reader ? await readStart(reader, id, head, line) : { records: [], lines: 0 };
  return { ...about, start, line };
}

/** Reads the latest lines, or those around one line. */
async function readStart(
  { deps: { kv } }: ProjectScope<"read_output">,
  taskId: number,
  { lines }: LogHead,
  line: number | null,
): Promise<TaskOutput["start"]> {
  const end = line === null ? lines : Math.min(lines, line + START_LINES / 2);
  const records: LogRecord[] = [];
  const newest = readLog(kv, taskId, Math.max(0, end - START_LINES));
  for await (const some of takeLines(newest, Math.min(end, START_LINES))) records.push(...some);
  return { records, lines };
}
