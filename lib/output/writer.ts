import { conflict, type Sentence } from "../base/errors.ts";
import { translator } from "../i18n/translate.ts";
import { rowKeys } from "../kv/keys.ts";
import type { Hub } from "../base/hub.ts";
import { commitsInTurn, type LogStamps } from "./commits.ts";
import { emptyHead, type LogHead } from "./store.ts";
import { chunkOf, type LogRecord, recordsOf, storableLine } from "./chunk.ts";
import { createOutline, type LogSection } from "./outline.ts";
import { lastSections } from "./sections.ts";

/** KV takes 64 KiB a value. A line of 16 KiB and the delays still fit in addition to this. */
const CHUNK_BYTES = 32 * 1024;
/** Time between two chunks, and the time that the first line after a pause waits for others. */
const FLUSH_MS = 80;
const FIRST_FLUSH_MS = 10;
const CHUNK_LINES_MAX = 3_000;

const encoder = new TextEncoder();
const english = translator("en");

export interface LogWriter {
  /**
   * Adds a storable line, with the time when it was written (now, if missing). Resolves
   * immediately unless the store cannot keep up.
   */
  write(line: string, atMs?: number): Promise<void> | void;
  /** Adds a sentence as a line, in English because all readers get the same output. */
  writeSentence(sentence: Sentence): Promise<void> | void;
  /**
   * Stores rows of the same task after the lines so far, with the same checks. Other errors concern
   * these rows only.
   */
  storeWith(add: (op: Deno.AtomicOperation) => void): Promise<void>;
  /** Stores the remaining lines. Throws 409 if another server has continued the log meanwhile. */
  flush(): Promise<void>;
  /**
   * Adds the closed head to the commit of the task's end, so that readers of the end have every
   * line. Like `flush`, it stores nothing if another server has continued the log.
   */
  close(op: Deno.AtomicOperation): void;
  /** Numbers of lines and bytes written so far. */
  readonly head: LogHead;
  /** Number of lines that a crash cannot lose any more. */
  readonly storedLines: number;
}

interface LogTarget {
  kv: Deno.Kv;
  hub: Hub;
  clock: { now(): Date };
  projectId: number;
  taskId: number;
}

/** State from which a writer continues. */
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
 * Continues a task's log. Earlier writers cannot write any more once this one has begun, however
 * fast they are. Throws 409 if the log is closed.
 */
export async function openLog(target: LogTarget): Promise<LogWriter> {
  await readOpenHead(target);
  const { versionstamp: fenceStamp } = await target.kv.set(rowKeys.taskLogFence(target.taskId), 1);
  // From here on, no earlier writer can change the head.
  const { head, headStamp } = await readOpenHead(target);
  const lastParts = await lastSections(target, head);
  return createLogWriter(target, { head, headStamp, fenceStamp, lastParts });
}

async function readOpenHead({ kv, taskId }: LogTarget) {
  const { value, versionstamp } = await kv.get<LogHead>(rowKeys.taskLogHead(taskId));
  if (value?.closed) throw conflict("errors.run.lease_lost");
  return { head: value ?? emptyHead(), headStamp: versionstamp };
}

/** Numbers, stores and publishes a task's lines, in a chunk every 32 KiB or 80 ms. */
export function createLogWriter(target: LogTarget, start: LogStart = newLog()): LogWriter {
  const head = { ...start.head, writer: crypto.randomUUID() };
  const commits = commitsInTurn(target, start);
  let lines: Uint8Array[] = [];
  let times: number[] = [];
  let bytes = 0;
  const outline = createOutline(start.head, start.lastParts);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let storedAt = -FLUSH_MS;
  let storedLines = head.lines;

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
    const last = head.lines;
    [lines, times, bytes] = [[], [], 0];
    const sections = structuredClone(outline.changed());
    return commits.add(
      { ...head },
      (op) => {
        op.set(rowKeys.taskLogChunk(target.taskId, first), chunk);
        for (const [n, some] of sections) op.set(rowKeys.taskLogSection(target.taskId, n), some);
      },
      () => {
        storedLines = last;
        publish(target, recordsOf(first, chunk));
      },
    );
  }

  function write(line: string, atMs = target.clock.now().getTime()): Promise<void> | void {
    const encoded = encoder.encode(line);
    lines.push(encoded);
    times.push(atMs);
    bytes += encoded.length + 1;
    outline.add(head.lines + lines.length, line);
    if (bytes >= CHUNK_BYTES || lines.length >= CHUNK_LINES_MAX) {
      const done = store();
      return commits.lagBehind() ? done : undefined;
    }
    const waitMs = Math.max(FIRST_FLUSH_MS, storedAt + FLUSH_MS - performance.now());
    timer ??= setTimeout(store, waitMs);
  }

  return {
    head,
    get storedLines() {
      return storedLines;
    },
    write,
    writeSentence: ({ key, params }) => write(storableLine(english(key, params))),
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
