import type { Deps } from "../access/deps.ts";
import { END, follow } from "../access/follow.ts";
import { rowKeys } from "../store/keys.ts";
import { watchRows } from "../store/watch.ts";
import type { LogRecord } from "./chunk.ts";
import { type LogHead, readLog } from "./store.ts";

/**
 * Yields a task's lines after line `after`, first the stored ones and then new ones, until the task
 * has ended, `signal` aborts, or the reader may not see more. It watches the stored head, so it
 * works for tasks of other servers too.
 */
export function followLog(
  deps: Pick<Deps, "kv" | "log">,
  taskId: number,
  after: number,
  signal: AbortSignal,
  maySee?: () => Promise<boolean>,
): AsyncGenerator<LogRecord[]> {
  let last = after;
  return follow({
    changes: watchRows<[LogHead]>(deps, [rowKeys.taskLogHead(taskId)], signal),
    maySee,
    async *read([head]) {
      const { lines = 0, closed = false } = head.value ?? {};
      if (lines > last) {
        for await (const records of readLog(deps.kv, taskId, last)) {
          last = records.at(-1)!.id;
          yield records;
        }
      }
      if (closed) yield END;
    },
  }, signal);
}
