import { AppError } from "../base/errors.ts";
import type { Hub } from "../base/hub.ts";
import { describeError, type Log } from "../base/log.ts";
import type { RunEvent } from "../execution/run/events.ts";
import { rowKeys } from "../store/keys.ts";
import type { LogWriter } from "../output/writer.ts";
import { runOf } from "../output/run_id.ts";
import { resultCollector } from "./collector.ts";
import type { Row } from "./rows.ts";

/** Time between two commits of results. It is longer if storing takes long. */
const FLUSH_MS = 500;
const FIRST_FLUSH_MS = 100;
/** Results share a commit of lines this long before they are due, and wait this long for one. */
const SHARE_MS = 125;
const BUSY_SHARE = 5;
/** Maximum number of unstored results. Beyond this, the sender has to wait. */
const WAITING_MAX = 5_000;
/** Limits of one commit, below the 800 KiB and 1,000 rows that KV takes. */
const COMMIT_BYTES = 400 * 1024;
const COMMIT_ROWS = 400;

interface ResultTarget {
  hub: Hub;
  log: Log;
  projectId: number;
  taskId: number;
  /** Whether these are the results of the task's preview. */
  isPreview?: boolean;
  /** Bytes of module answers that may be stored; 0 to store neither answers nor facts. */
  fullBytesMax?: number;
  /** Log of the same task. Only the server that writes it may store its results. */
  output: Pick<LogWriter, "storeWith" | "shareWith">;
  /** Number of output lines before those of the execution. */
  linesBefore?: number;
}

interface ResultWriter {
  take(event: RunEvent): void | Promise<void>;
  /**
   * Stores the remaining results. Throws 409 if another server has taken over the task meanwhile.
   */
  flush(): Promise<void>;
}

/**
 * Stores the events of an execution as they arrive, a few times a second at most, and publishes
 * each update.
 */
export function createResultWriter(target: ResultTarget): ResultWriter {
  const { hub, log, projectId, taskId, output } = target;
  const { isPreview, fullBytesMax = 0, linesBefore = 0 } = target;
  const run = runOf(taskId, isPreview);
  const collector = resultCollector({
    fullBytesMax,
    // The real execution gathers the facts of a preview again.
    keepsFacts: fullBytesMax > 0 && !isPreview,
  });
  let waiting = 0;
  let nextAt = performance.now() + FIRST_FLUSH_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stored = Promise.resolve();
  let isStoring = false;

  async function store(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (waiting === 0) return;
    waiting = 0;
    isStoring = true;
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
      // The play continues, and its output is stored anyway.
      log("error", "results_lost", { task: taskId, ...describeError(error) });
    } finally {
      isStoring = false;
    }
    hub.publish({ type: "results", project_id: projectId, task_id: taskId });
    const tookMs = performance.now() - begunAt;
    nextAt = performance.now() + Math.max(FLUSH_MS, BUSY_SHARE * tookMs);
  }

  function flush(): Promise<void> {
    stored = stored.then(store);
    return stored;
  }

  output.shareWith(() => {
    const isDue = performance.now() >= nextAt - SHARE_MS;
    return waiting > 0 && isDue && !isStoring ? flush() : null;
  });

  return {
    take(event) {
      collector.take(moved(event, linesBefore));
      waiting++;
      if (waiting > WAITING_MAX) return flush();
      const delayMs = Math.max(0, nextAt - performance.now()) + SHARE_MS;
      timer ??= setTimeout(() => flush().catch(() => {}), delayMs);
    },
    flush,
  };
}

/** Returns the event with its lines numbered as in the task's output. */
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
