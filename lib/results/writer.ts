import { AppError } from "../base/errors.ts";
import type { Hub } from "../base/hub.ts";
import { describeError, type Log } from "../base/log.ts";
import type { RunEvent } from "../execution/run/events.ts";
import { rowKeys } from "../kv/keys.ts";
import type { LogWriter } from "../output/writer.ts";
import { runOf } from "../output/run_id.ts";
import type { Row } from "./bands.ts";
import { resultCollector } from "./collector.ts";

/** Between two times that results are stored; longer where storing them takes long. */
const FLUSH_MS = 500;
const FIRST_FLUSH_MS = 100;
const BUSY_SHARE = 5;
/** Results that may wait to be stored, before whoever tells them waits. */
const WAITING_MAX = 5_000;
/** Of the 800 KiB and 1,000 rows that a commit takes. */
const COMMIT_BYTES = 400 * 1024;
const COMMIT_ROWS = 400;

interface ResultTarget {
  hub: Hub;
  log: Log;
  projectId: number;
  taskId: number;
  /** They are what its preview predicts. */
  isPreview?: boolean;
  /** Bytes of what modules answered that are kept, and 0 for none of it, nor of facts. */
  fullBytesMax?: number;
  /** Of the same task: only who writes its output may store its results. */
  output: Pick<LogWriter, "storeWith" | "head">;
}

export interface ResultWriter {
  take(event: RunEvent): void | Promise<void>;
  /** Stores what is left. Throws 409 when somebody else has gone on with the task meanwhile. */
  flush(): Promise<void>;
}

/** Stores what a run tells as it comes, a few times a second at most, and tells that it did. */
export function createResultWriter(target: ResultTarget): ResultWriter {
  const { hub, log, projectId, taskId, isPreview, fullBytesMax = 0, output } = target;
  const run = runOf(taskId, isPreview);
  const collector = resultCollector({
    fullBytesMax,
    // What a preview finds out, the run that follows finds out again.
    keepsFacts: fullBytesMax > 0 && !isPreview,
  });
  /** Lines of the output that were there before the run began. */
  const before = output.head.lines;
  let waiting = 0;
  let nextAt = performance.now() + FIRST_FLUSH_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stored = Promise.resolve();

  async function store(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (waiting === 0) return;
    waiting = 0;
    const begunAt = performance.now();
    try {
      const changed = await collector.rows();
      const head = collector.head();
      for (const rows of commits(changed)) {
        await output.storeWith((op) => {
          for (const { at, value } of rows) op.set(rowKeys.taskResultRow(run, ...at), value);
          op.set(rowKeys.taskResultHead(run), head);
        });
      }
    } catch (error) {
      if (error instanceof AppError) throw error;
      // The play goes on: what it prints is stored all the same.
      log("error", "results_lost", { task: taskId, ...describeError(error) });
    }
    hub.publish({ type: "results", project_id: projectId, task_id: taskId });
    const tookMs = performance.now() - begunAt;
    nextAt = performance.now() + Math.max(FLUSH_MS, BUSY_SHARE * tookMs);
  }

  function flush(): Promise<void> {
    stored = stored.then(store);
    // Who flushes is told; nobody waits for what a timer began.
    stored.catch(() => {});
    return stored;
  }

  return {
    take(event) {
      collector.take(moved(event, before));
      waiting++;
      if (waiting > WAITING_MAX) return flush();
      timer ??= setTimeout(flush, Math.max(0, nextAt - performance.now()));
    },
    flush,
  };
}

/** The event with its lines counted as the task's output counts them. */
function moved(event: RunEvent, by: number): RunEvent {
  if (by === 0 || !("lines" in event) || !event.lines) return event;
  return { ...event, lines: { from: event.lines.from + by, to: event.lines.to + by } };
}

function* commits(rows: Row[]): Generator<Row[]> {
  let [batch, bytes] = [[] as Row[], 0];
  for (const row of rows) {
    if (batch.length >= COMMIT_ROWS || bytes + row.bytes > COMMIT_BYTES) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(row);
    bytes += row.bytes;
  }
  yield batch;
}
