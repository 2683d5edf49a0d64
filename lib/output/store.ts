import { deleteFound } from "../store/delete_prefix.ts";
import { rowKeys } from "../store/keys.ts";
import type { Atomic, Store } from "../store/store.ts";
import { previewOf } from "./run_id.ts";
import { type LogChunk, type LogRecord, recordsOf } from "./chunk.ts";
import type { OutlineHead } from "./outline.ts";

/**
 * How much of a task's output is stored. It changes with each chunk, so that readers can watch it.
 */
export interface LogHead extends OutlineHead {
  lines: number;
  bytes: number;
  /** Whether no line will follow. */
  closed: boolean;
  /** Set once the output has reached the limit for a task. The rest is not stored. */
  cut?: true;
  /** Id of the last writer. */
  writer?: string;
}

export const emptyHead = (): LogHead => ({
  ...{ lines: 0, bytes: 0, closed: false },
  ...{ play_tasks: 0, sections: 0, first_failure: 0 },
});

/**
 * Reads the head of a log that no server writes. The returned function closes the log in a commit.
 */
export async function closeIdleLog(
  kv: Store,
  taskId: number,
): Promise<(op: Atomic) => void> {
  const [head, fence] = await kv.getMany<[LogHead, number]>([
    rowKeys.taskLogHead(taskId),
    rowKeys.taskLogFence(taskId),
  ]);
  const closed = { ...head.value ?? emptyHead(), closed: true };
  return (op) => void op.check(head, fence).set(head.key, closed).delete(fence.key);
}

export async function getLogHead(kv: Store, taskId: number): Promise<LogHead> {
  return (await kv.get<LogHead>(rowKeys.taskLogHead(taskId))).value ?? emptyHead();
}

/**
 * Yields the stored lines after line `after`, in order and in chunks, so that memory is bounded for
 * any log.
 */
export async function* readLog(
  kv: Store,
  taskId: number,
  after = 0,
): AsyncGenerator<LogRecord[]> {
  for await (const { first, chunk } of readLogChunks(kv, taskId, after)) {
    const records = recordsOf(first, chunk).filter(({ id }) => id > after);
    if (records.length > 0) yield records;
  }
}

/**
 * Yields the stored chunks, beginning with the one that has line `after + 1`; each read takes
 * `batchSize`.
 */
export async function* readLogChunks(
  kv: Store,
  taskId: number,
  after: number,
  batchSize = 8,
): AsyncGenerator<{ first: number; chunk: LogChunk }> {
  const prefix = rowKeys.taskLogChunks(taskId);
  const start = await chunkWith(kv, taskId, after + 1);
  const entries = kv.list<LogChunk>(
    start === null ? { prefix } : { prefix, start: rowKeys.taskLogChunk(taskId, start) },
    { batchSize },
  );
  for await (const { key, value } of entries) yield { first: key.at(-1) as number, chunk: value };
}

/** Yields the first `count` lines. */
export async function* takeLines(
  chunks: AsyncIterable<LogRecord[]>,
  count: number,
): AsyncGenerator<LogRecord[]> {
  let left = count;
  if (left <= 0) return;
  for await (const records of chunks) {
    yield records.slice(0, left);
    left -= records.length;
    if (left <= 0) return;
  }
}

/** Returns the first line of the chunk that holds `line`; null if it is not stored yet. */
async function chunkWith(kv: Store, taskId: number, line: number): Promise<number | null> {
  const selector = {
    prefix: rowKeys.taskLogChunks(taskId),
    end: rowKeys.taskLogChunk(taskId, line + 1),
  };
  for await (const { key } of kv.list(selector, { reverse: true, limit: 1 })) {
    return key.at(-1) as number;
  }
  return null;
}

/** Deletes the output of tasks and their stored results. */
export async function deleteRecords(kv: Store, ...taskIds: number[]): Promise<void> {
  const runs = taskIds.flatMap((id) => [id, previewOf(id)]);
  const prefixes = [
    ...taskIds.map(rowKeys.taskLogChunks),
    ...taskIds.map(rowKeys.taskLogSections),
    ...runs.map(rowKeys.taskResults),
  ];
  await deleteFound(kv, prefixes.map((prefix) => ({ prefix })), [
    ...runs.map(rowKeys.taskResultHead),
    ...taskIds.map(rowKeys.taskLogFence),
    ...taskIds.map(rowKeys.taskLogHead),
  ]);
}
