import { plainText } from "./ansi.ts";
import type { LogRecord } from "./chunk.ts";

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

/** Yields the stored lines as text, optionally with their times in front or without colors. */
export async function* outputText(
  chunks: AsyncIterable<LogRecord[]>,
  { times, plain }: { times: boolean; plain: boolean },
): AsyncGenerator<string> {
  const textOf = ({ time, output }: LogRecord) =>
    (times ? `${time} ` : "") + (plain ? plainText(output) : output) + "\n";
  for await (const records of chunks) yield records.map(textOf).join("");
}
