import { conflict } from "../base/errors.ts";
import { rowKeys } from "../kv/keys.ts";
import type { Hub } from "../base/hub.ts";
import { commitsInTurn, type LogStamps } from "./commits.ts";
import { emptyHead, type LogHead } from "./store.ts";
import { chunkOf, type LogRecord, recordsOf } from "./chunk.ts";
import { createOutline, type LogSection } from "./outline.ts";
import { lastSections } from "./sections.ts";

/** KV takes 64 KiB a value; a line of 16 KiB and the delays still fit on top of this. */
const CHUNK_BYTES = 32 * 1024;
/** Between two chunks; and how long the first line after a pause waits for others. */
const FLUSH_MS = 80;
const FIRST_FLUSH_MS = 10;
const CHUNK_LINES_MAX = 3_000;

const encoder = new TextEncoder();

export interface LogWriter {
  /** Takes a line. The promise resolves at once unless the store cannot keep up. */
  write(line: string): Promise<void> | void;
  /**
   * Stores rows of the same task, after the lines so far and on the same condition. What else fails
   * is of those rows alone.
   */
  storeWith(add: (op: Deno.AtomicOperation) => void): Promise<void>;
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

/** Where a writer goes on, and what is stored there. */
interface LogStart extends LogStamps {
  head: LogHead;
  lastParts: LogSection[];
}

const newLog = (): LogStart => ({
  head: emptyHead(),
  headStamp: null,
  fenceStamp: null,
  lastParts: [],
});

/**
 * Goes on with a task's log; a writer from before can write nothing once this one has begun, however
 * fast it writes. Throws 409 when the log is closed.
 */
export async function openLog(target: LogTarget): Promise<LogWriter> {
  await readOpenHead(target);
  const { versionstamp: fenceStamp } = await target.kv.set(rowKeys.taskLogFence(target.taskId), 1);
  // From here on no writer from before can move the head.
  const { head, headStamp } = await readOpenHead(target);
  const lastParts = await lastSections(target, head);
  return createLogWriter(target, { head, headStamp, fenceStamp, lastParts });
}

async function readOpenHead({ kv, taskId }: LogTarget) {
  const { value, versionstamp } = await kv.get<LogHead>(rowKeys.taskLogHead(taskId));
  if (value?.closed) throw conflict("errors.run.lease_lost");
  return { head: value ?? emptyHead(), headStamp: versionstamp };
}

/** Numbers, stores and publishes a task's lines: a chunk every 32 KiB or 80 ms. */
export function createLogWriter(target: LogTarget, start: LogStart = newLog()): LogWriter {
  const head = { ...start.head, writer: crypto.randomUUID() };
  const commits = commitsInTurn(target, start);
  let lines: Uint8Array[] = [];
  let times: number[] = [];
  let bytes = 0;
  const outline = createOutline(start.head, start.lastParts);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let storedAt = -FLUSH_MS;

  function store(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (lines.length === 0) return commits.done();
    storedAt = performance.now();
    const first = head.lines + 1;
    const chunk = chunkOf(lines, times);
    Object.assign(head, outline.head());
    head.lines += lines.length;
    head.bytes += bytes;
    [lines, times, bytes] = [[], [], 0];
    const sections = structuredClone(outline.changed());
    return commits.add(
      { ...head },
      (op) => {
        op.set(rowKeys.taskLogChunk(target.taskId, first), chunk);
        for (const [n, some] of sections) op.set(rowKeys.taskLogSection(target.taskId, n), some);
      },
      () => publish(target, recordsOf(first, chunk)),
    );
  }

  return {
    head,
    write(line) {
      const encoded = encoder.encode(line);
      lines.push(encoded);
      times.push(target.clock.now().getTime());
      bytes += encoded.length + 1;
      outline.add(head.lines + lines.length, line);
      if (bytes >= CHUNK_BYTES || lines.length >= CHUNK_LINES_MAX) {
        const done = store();
        return commits.lagBehind() ? done : undefined;
      }
      const waitMs = Math.max(FIRST_FLUSH_MS, storedAt + FLUSH_MS - performance.now());
      timer ??= setTimeout(store, waitMs);
    },
    storeWith(add) {
      store();
      return commits.addBeside({ ...head }, add);
    },
    flush: () => store(),
    close(op) {
      head.closed = true;
      commits.addTo(op, { ...head });
    },
  };
}

function publish({ hub, projectId, taskId }: LogTarget, records: LogRecord[]) {
  hub.publish({ type: "log", project_id: projectId, task_id: taskId, records });
}
