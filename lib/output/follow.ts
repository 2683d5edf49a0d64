import type { Deps } from "../access/deps.ts";
import { rowKeys } from "../kv/keys.ts";
import { watchRows } from "../kv/watch.ts";
import { type LogHead, readLog } from "./store.ts";
import type { LogRecord } from "./chunk.ts";

/**
 * Yields a task's lines after line `after`, first the stored ones and then new ones, until the task
 * has ended or `signal` aborts. Yields an empty list from time to time, so that a reader can show
 * that it is still connected. It watches the stored head, so it works for tasks of other servers
 * too.
 */
export async function* followLog(
  deps: Pick<Deps, "kv" | "log">,
  taskId: number,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<LogRecord[]> {
  let last = after;
  // Watching begins before reading, so that no line is missed in between.
  for await (const [head] of watchRows<[LogHead]>(deps, [rowKeys.taskLogHead(taskId)], signal)) {
    const { lines = 0, closed = false } = head.value ?? {};
    if (lines > last) {
      for await (const records of readLog(deps.kv, taskId, last)) {
        if (signal.aborted) return;
        last = records.at(-1)!.id;
        yield records;
      }
    }
    if (closed) return;
  }
}
