import { conflict } from "../base/errors.ts";
import { keys } from "../kv/keys.ts";
import type { Hub, LiveRecord } from "../base/hub.ts";

/** One line of output as it is stored and answered. `id` counts from 1 within its task. */
export type LogRecord = LiveRecord;

/** How much of a task's output is stored. Moves with each chunk, so that readers can watch it. */
export interface LogHead {
  lines: number;
  bytes: number;
  /** No line will follow. */
  closed: boolean;
  /** Who has written it last. */
  writer?: string;
}

/** Lines that were stored together. */
interface LogChunk {
  /** Milliseconds since the epoch of the first line, and of each line after it. */
  time: number;
  delays: number[];
  /** The lines in UTF-8, joined by newlines: smaller than strings with escapes in them. */
  text: Uint8Array;
}

/** KV takes 64 KiB a value; a line of 16 KiB and the delays still fit on top of this. */
const CHUNK_BYTES = 32 * 1024;
/** Between two chunks; and how long the first line after a pause waits for others. */
const FLUSH_MS = 80;
const FIRST_FLUSH_MS = 10;
const CHUNK_LINES_MAX = 4_000;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

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
  const { value, versionstamp } = await target.kv.get<LogHead>(keys.taskLogHead(target.taskId));
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
    const records = { lines, times, first };
    head.lines += lines.length;
    head.bytes += bytes;
    const now = { ...head };
    [lines, times, bytes] = [[], [], 0];
    waiting++;
    // One after the other: a reader must never see a line before those in front of it.
    stored = stored.then(async () => {
      stamp = await commit(target, first, chunk, now, stamp);
      waiting--;
      publish(target, records);
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
      const key = keys.taskLogHead(target.taskId);
      op.check({ key, versionstamp: stamp }).set(key, { ...head });
    },
  };
}

const emptyHead = (): LogHead => ({ lines: 0, bytes: 0, closed: false });

function chunkOf(lines: Uint8Array[], times: number[]): LogChunk {
  const text = new Uint8Array(lines.reduce((sum, line) => sum + line.length + 1, -1));
  let offset = 0;
  for (const line of lines) {
    if (offset > 0) text[offset - 1] = 10;
    text.set(line, offset);
    offset += line.length + 1;
  }
  const [time] = times;
  return { time, delays: times.map((at) => at - time), text };
}

/** Stores a chunk where the head is as it was; answers the versionstamp that it has now. */
async function commit(
  { kv, taskId }: LogTarget,
  first: number,
  chunk: LogChunk,
  head: LogHead,
  stamp: string | null,
): Promise<string> {
  const key = keys.taskLogHead(taskId);
  const committed = await kv.atomic()
    .check({ key, versionstamp: stamp })
    .set(keys.taskLogChunk(taskId, first), chunk)
    .set(key, head)
    .commit();
  if (committed.ok) return committed.versionstamp;
  // Over a network a commit is sent again when its answer was lost.
  const { value, versionstamp } = await kv.get<LogHead>(key);
  if (value?.writer === head.writer && value?.lines === head.lines) return versionstamp!;
  throw conflict("errors.run.lease_lost");
}

function publish(
  { hub, projectId, taskId }: LogTarget,
  { lines, times, first }: { lines: Uint8Array[]; times: number[]; first: number },
) {
  const records = lines.map((line, n) => ({
    id: first + n,
    time: new Date(times[n]).toISOString(),
    output: decoder.decode(line),
  }));
  hub.publish({ type: "log", project_id: projectId, task_id: taskId, records });
}

/** Adds to `op` that a task which never ran has no output, so that nobody waits for some. */
export function closeEmptyLog(op: Deno.AtomicOperation, taskId: number): void {
  op.set(keys.taskLogHead(taskId), { ...emptyHead(), closed: true });
}

export async function getLogHead(kv: Deno.Kv, taskId: number): Promise<LogHead> {
  return (await kv.get<LogHead>(keys.taskLogHead(taskId))).value ?? emptyHead();
}

/** The stored lines after line `after`, in order, a chunk at a time: bounded memory for any log. */
export async function* readLog(
  kv: Deno.Kv,
  taskId: number,
  after = 0,
): AsyncGenerator<LogRecord[]> {
  const prefix = keys.taskLogChunks(taskId);
  const start = await chunkWith(kv, taskId, after + 1);
  const entries = kv.list<LogChunk>(
    start === null ? { prefix } : { prefix, start: keys.taskLogChunk(taskId, start) },
    { batchSize: 8 },
  );
  for await (const { key, value } of entries) {
    const records = recordsOf(key.at(-1) as number, value).filter(({ id }) => id > after);
    if (records.length > 0) yield records;
  }
}

/** The first `count` lines. */
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

/** First line of the chunk that holds `line`; null when there is none yet. */
async function chunkWith(kv: Deno.Kv, taskId: number, line: number): Promise<number | null> {
  const selector = {
    prefix: keys.taskLogChunks(taskId),
    end: keys.taskLogChunk(taskId, line + 1),
  };
  for await (const { key } of kv.list(selector, { reverse: true, limit: 1 })) {
    return key.at(-1) as number;
  }
  return null;
}

function recordsOf(first: number, { time, delays, text }: LogChunk): LogRecord[] {
  return decoder.decode(text).split("\n").map((output, n) => ({
    id: first + n,
    time: new Date(time + delays[n]).toISOString(),
    output,
  }));
}

/** Removes a task's output; in commits of bounded size, so that KV can give the space back. */
export async function deleteLog(kv: Deno.Kv, taskId: number): Promise<void> {
  let op = kv.atomic();
  let count = 0;
  for await (const { key } of kv.list({ prefix: keys.taskLogChunks(taskId) })) {
    op.delete(key);
    if (++count % 500 > 0) continue;
    await op.commit();
    op = kv.atomic();
  }
  await op.delete(keys.taskLogHead(taskId)).commit();
}
