import type { Deps } from "../deps.ts";
import { keys } from "../kv/keys.ts";
import { type LogHead, type LogRecord, readLog } from "./log_store.ts";

/**
 * A task's lines after line `after`: first what is stored, then what comes, until the task has
 * ended or `signal` aborts. Yields an empty list now and then, so that a reader can show that it
 * is still there. Works for tasks of other servers too: it watches the stored head.
 */
export async function* followLog(
  { kv }: Pick<Deps, "kv">,
  taskId: number,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<LogRecord[]> {
  // Watching begins before reading: no line can come in between unseen.
  const heads = kv.watch<[LogHead]>([keys.taskLogHead(taskId)]).getReader();
  const cancel = () => void heads.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  let last = after;
  try {
    while (!signal.aborted) {
      const head = await heads.read();
      if (head.done) return;
      const { lines = 0, closed = false } = head.value[0].value ?? {};
      if (lines > last) {
        for await (const records of readLog(kv, taskId, last)) {
          if (signal.aborted) return;
          last = records.at(-1)!.id;
          yield records;
        }
      }
      if (closed) return;
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    await heads.cancel();
  }
}
