import { plainText } from "./ansi.ts";
import type { LogRecord } from "./chunk.ts";

/** A line as clients know it. */
export const outputRecord = (taskId: number, { id, time, output }: LogRecord) => ({
  id,
  task_id: taskId,
  task: "",
  time,
  output,
});

/** The stored records as a JSON array, written while it is read: memory does not grow with the log. */
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

/** The stored lines as text: with their times in front, without colours. */
export async function* outputText(
  chunks: AsyncIterable<LogRecord[]>,
  { times, plain }: { times: boolean; plain: boolean },
): AsyncGenerator<string> {
  const textOf = ({ time, output }: LogRecord) =>
    (times ? `${time} ` : "") + (plain ? plainText(output) : output) + "\n";
  for await (const records of chunks) yield records.map(textOf).join("");
}
