import { conflict } from "../base/errors.ts";
import { rowKeys } from "../kv/keys.ts";
import type { Hub } from "../base/hub.ts";
import { emptyHead, type LogHead } from "./log_store.ts";
import {
  announcesPlayTask,
  chunkOf,
  type LogChunk,
  type LogRecord,
  recordsOf,
} from "./log_chunk.ts";

/** KV takes 64 KiB a value; a line of 16 KiB and the delays still fit on top of this. */
const CHUNK_BYTES = 32 * 1024;
/** Between two chunks; and how long the first line after a pause waits for others. */
const FLUSH_MS = 80;
const FIRST_FLUSH_MS = 10;
const CHUNK_LINES_MAX = 4_000;

const encoder = new TextEncoder();

export interface LogWriter {
  /** Takes a line. The promise resolves at once unless the store cannot keep up. */
  write(line: string): Promise<void> | void;
  /** Stores what is left. Throws 409 when somebody else has gone on with the log meanwhile. */
  flush(): Promise<void>;
  /**
   * What must be written with the task's end, so that readers of the end have every line. As with
   * `flush`, nothing is written once somebody else has gone on with the log.
   */
  close(op: Deno.AtomicOperation): void;
  /** Lines and bytes stored so far. */
  readonly head: LogHead;
}

interface LogTarget {
  kv: Deno.Kv;
  hub: Hub;
  clock: { now(): Date };
  projectId: number;
  taskId: number;
}

/**
 * Goes on with a task's log; a writer from before can write nothing once this one has. Throws 409
 * when the log is closed.
 */
export async function openLog(target: LogTarget): Promise<LogWriter> {
  const { value, versionstamp } = await target.kv.get<LogHead>(rowKeys.taskLogHead(target.taskId));
  if (value?.closed) throw conflict("errors.run.lease_lost");
  return createLogWriter(target, value ?? emptyHead(), versionstamp);
}

/** Numbers, stores and publishes a task's lines: a chunk every 32 KiB or 80 ms. */
export function createLogWriter(
  target: LogTarget,
  from: LogHead = emptyHead(),
  fromStamp: string | null = null,
): LogWriter {
  const head = { ...from, writer: crypto.randomUUID() };
  /** Of the head as this writer knows it: a lost server's must not be written over another's. */
  let stamp = fromStamp;
  let failed = false;
  let lines: Uint8Array[] = [];
  let times: number[] = [];
  let bytes = 0;
  let playTasks = from.play_tasks ?? 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stored: Promise<void> = Promise.resolve();
  let storedAt = -FLUSH_MS;
  let waiting = 0;

  function store(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (lines.length === 0) return stored;
    storedAt = performance.now();
    const first = head.lines + 1;
    const chunk = chunkOf(lines, times);
    head.lines += lines.length;
    head.bytes += bytes;
    head.play_tasks = playTasks;
    const now = { ...head };
    [lines, times, bytes] = [[], [], 0];
    waiting++;
    // One after the other: a reader must never see a line before those in front of it.
    stored = stored.then(async () => {
      stamp = await commit(target, first, chunk, now, stamp);
      waiting--;
      publish(target, recordsOf(first, chunk));
    });
    // Who flushes is told; nobody waits for each chunk.
    stored.catch(() => failed = true);
    return stored;
  }

  return {
    head,
    write(line) {
      const encoded = encoder.encode(line);
      lines.push(encoded);
      times.push(target.clock.now().getTime());
      bytes += encoded.length + 1;
      if (announcesPlayTask(line)) playTasks++;
      if (bytes >= CHUNK_BYTES || lines.length >= CHUNK_LINES_MAX) {
        const done = store();
        return failed || waiting > 4 ? done : undefined;
      }
      const waitMs = Math.max(FIRST_FLUSH_MS, storedAt + FLUSH_MS - performance.now());
      timer ??= setTimeout(store, waitMs);
    },
    flush: () => store(),
    close(op) {
      head.closed = true;
      const key = rowKeys.taskLogHead(target.taskId);
      op.check({ key, versionstamp: stamp }).set(key, { ...head });
    },
  };
}

/** Stores a chunk where the head is as it was; answers the versionstamp that it has now. */
async function commit(
  { kv, taskId }: LogTarget,
  first: number,
  chunk: LogChunk,
  head: LogHead,
  stamp: string | null,
): Promise<string> {
  const key = rowKeys.taskLogHead(taskId);
  const committed = await kv.atomic()
    .check({ key, versionstamp: stamp })
    .set(rowKeys.taskLogChunk(taskId, first), chunk)
    .set(key, head)
    .commit();
  if (committed.ok) return committed.versionstamp;
  // Over a network a commit is sent again when its answer was lost.
  const { value, versionstamp } = await kv.get<LogHead>(key);
  if (value?.writer === head.writer && value?.lines === head.lines) return versionstamp!;
  throw conflict("errors.run.lease_lost");
}

function publish({ hub, projectId, taskId }: LogTarget, records: LogRecord[]) {
  hub.publish({ type: "log", project_id: projectId, task_id: taskId, records });
}
