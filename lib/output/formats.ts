import { isFullPart } from "../execution/log/output.ts";
import { plainText } from "./ansi.ts";
import type { LogRecord } from "./chunk.ts";
import { withoutOpening } from "./look.ts";

/** Returns a line in the format of API clients. */
export const outputRecord = (taskId: number, { id, time, output }: LogRecord) => ({
  id,
  task_id: taskId,
  task: "",
  time,
  output,
});

/**
 * Yields the stored records as a JSON array while they are read, so that memory does not grow with
 * the log.
 */
export async function* outputJson(
  chunks: AsyncIterable<LogRecord[]>,
  taskId: number,
): AsyncGenerator<string> {
  let before = "[";
  for await (const records of chunks) {
    const texts = records.map((record) => JSON.stringify(outputRecord(taskId, record)));
    yield before + texts.join(",");
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}

/** Whether the next line continues this one, because it was too long to be stored as one. */
const isContinued = (line: string): boolean => isFullPart(withoutOpening(line));

/**
 * Yields the lines as they were written, optionally with their times in front or as they are shown,
 * without colors. Lines that were too long to be stored as one are joined again.
 */
export async function* outputText(
  chunks: AsyncIterable<LogRecord[]>,
  { times, plain }: { times: boolean; plain: boolean },
): AsyncGenerator<string> {
  let isBegun = false;
  function textOf({ time, output }: LogRecord): string {
    const front = times && !isBegun ? `${time} ` : "";
    isBegun = isContinued(output);
    return front + (plain ? plainText(output) : withoutOpening(output)) + (isBegun ? "" : "\n");
  }
  for await (const records of chunks) yield records.map(textOf).join("");
}
