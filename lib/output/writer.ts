import { conflict, type Sentence } from "../base/errors.ts";
import { byteLength } from "../base/fields.ts";
import { translator } from "../i18n/translate.ts";
import { type Hold, noHold } from "../store/hold.ts";
import { rowKeys } from "../store/keys.ts";
import { packed } from "../store/rows/packed_json.ts";
import type { Atomic, Store } from "../store/store.ts";
import type { Hub } from "../base/hub.ts";
import { type CommitPart, commitsInTurn, type LogStamps } from "./commits.ts";
import { emptyHead, type LogHead } from "./store.ts";
import { chunkOf, deflated, type LogRecord, recordsOf, storableLine } from "./chunk.ts";
import { lookAtEnd, PLAIN_LOOK, withOpening } from "./look.ts";
import { createOutline, type LogSection } from "./outline.ts";
import { lastSections } from "./sections.ts";

/** KV takes 64 KiB a value. A line of 16 KiB and the delays still fit in addition to this. */
const CHUNK_BYTES = 32 * 1024;
/** Time between two commits, and the time that the first line after a pause waits for others. */
const GATHER_MS = 250;
const FIRST_GATHER_MS = 10;
/** Longest time for which lines that are due wait for rows that share their commit. */
const SHARE_MS = 50;
const CHUNK_LINES_MAX = 3_000;
const BYTES_PER_MEGABYTE = 1024 * 1024;
/** More bytes than any line has. */
const LINE_ROOM = 64 * 1024;

const encoder = new TextEncoder();
const english = translator("en");

export interface LogWriter {
  /**
   * Adds a storable line, with the time when it was written (now, if missing). Resolves
   * immediately unless the store cannot keep up. Nothing is added beyond the limit for a task.
   */
  write(line: string, atMs?: number): Promise<void> | void;
  /** Adds one of the server's own lines, also beyond the limit. */
  say(line: string): Promise<void> | void;
  /** Like `say`, for a sentence, in English because all readers get the same output. */
  writeSentence(sentence: Sentence): Promise<void> | void;
  /**
   * Stores rows of the same task and the lines so far in one commit. Errors other than a 409
   * concern these rows only.
   */
  storeWith(add: (op: Atomic) => void): Promise<void>;
  /**
   * Calls `storeRows` each time that lines are due. It returns null, or calls `storeWith` soon and
   * returns a promise for that.
   */
  shareWith(storeRows: () => Promise<void> | null): void;
  /** Stores the lines so far now, with the rows that are due. */
  storeDue(): Promise<void>;
  /** Stores the remaining lines. Throws 409 if another server has continued the log meanwhile. */
  flush(): Promise<void>;
  /**
   * Adds the closed head to the commit of the task's end, so that readers of the end have every
   * line. Like `flush`, it stores nothing if another server has continued the log.
   */
  close(op: Atomic): void;
  /** Whether the output has reached the limit for a task. */
  isCut(): boolean;
  /** Numbers of lines and bytes written so far. */
  readonly head: LogHead;
  /** Number of lines that a crash cannot lose any more. */
  readonly storedLines: number;
}

interface LogTarget {
  kv: Store;
  hub: Hub;
  clock: { now(): Date };
  projectId: number;
  taskId: number;
  /** Waits while the disk is full. Without it, writes fail then. */
  hold?: Hold;
  /** Longest output in bytes of UTF-8 with line ends. Without it, there is no limit. */
  bytesMax?: number;
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
  const { kv, taskId, hold = noHold } = target;
  const { versionstamp: fenceStamp } = await hold.write(
    () => kv.set(rowKeys.taskLogFence(taskId), 1),
  );
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

/** Numbers, stores and publishes a task's lines, in a chunk every 32 KiB or 250 ms. */
export function createLogWriter(target: LogTarget, start: LogStart = newLog()): LogWriter {
  const { bytesMax = Infinity, taskId } = target;
  const head: LogHead = { ...start.head, writer: crypto.randomUUID() };
  const lines = gatherLines(taskId, head, start.lastParts);
  const stored = storeGathered(target, start, head, lines);
  return Object.assign(stored, {
    write(line: string, atMs?: number): Promise<void> | void {
      if (head.cut) return;
      if (lines.isRoomFor(line, bytesMax)) return stored.add(line, atMs);
      head.cut = true;
      const limit = `${Math.round(bytesMax / BYTES_PER_MEGABYTE)} MB, the limit for a task`;
      return stored.add(`The output reached ${limit}. The rest is not stored.`);
    },
    isCut: () => head.cut ?? false,
    say: (line: string) => stored.add(line),
    writeSentence: ({ key, params }: Sentence) => stored.add(storableLine(english(key, params))),
  });
}

/** Stores gathered lines in turn. */
function storeGathered(target: LogTarget, start: LogStart, head: LogHead, lines: GatheredLines) {
  const commits = commitsInTurn({ hold: noHold, ...target }, start);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let storedAt = -GATHER_MS;
  let storedLines = head.lines;
  let storeRows: () => Promise<void> | null = () => null;

  /** Returns the lines so far as a part of the next commit; null if there are none. */
  function takeLines(): CommitPart | null {
    clearTimeout(timer);
    timer = undefined;
    const taken = lines.take();
    if (!taken) return null;
    storedAt = performance.now();
    const last = head.lines;
    return {
      add: taken.add,
      then() {
        storedLines = last;
        publish(target, taken.records());
      },
    };
  }

  function store(): Promise<void> {
    const taken = takeLines();
    return taken ? commits.add({ ...head }, taken) : commits.done();
  }

  function storeDue(): Promise<void> {
    const shared = storeRows();
    if (!shared) return store();
    clearTimeout(timer);
    timer = setTimeout(() => store().catch(() => {}), SHARE_MS);
    return shared;
  }

  function add(line: string, atMs = target.clock.now().getTime()): Promise<void> | void {
    if (lines.add(line, atMs)) {
      const done = store();
      return commits.lagBehind() ? done : undefined;
    }
    const waitMs = Math.max(FIRST_GATHER_MS, storedAt + GATHER_MS - performance.now());
    // Errors reach the caller of `flush`.
    timer ??= setTimeout(() => storeInTurn().catch(() => {}), waitMs);
  }

  /** Lets lines gather behind commits that wait, so that they fill chunks and hold writers. */
  async function storeInTurn(): Promise<void> {
    if (commits.lagBehind()) await commits.done();
    await storeDue();
  }

  return {
    head,
    get storedLines() {
      return storedLines;
    },
    add,
    storeWith(add: (op: Atomic) => void): Promise<void> {
      const taken = takeLines();
      return commits.addBeside({ ...head }, add, taken);
    },
    shareWith: (its: () => Promise<void> | null) => void (storeRows = its),
    storeDue,
    flush: () => store(),
    close: (op: Atomic): void => void commits.close(op, closedHead(head)),
  };
}

function closedHead(head: LogHead): LogHead {
  head.closed = true;
  const { writer: _, ...closed } = head;
  return closed;
}

type GatheredLines = ReturnType<typeof gatherLines>;

/** Gathers lines until a commit takes them, and counts them in `head` then. */
function gatherLines(taskId: number, head: LogHead, lastParts: LogSection[]) {
  const outline = createOutline(head, lastParts);
  /** The look at the end of the last line. */
  let look = PLAIN_LOOK;
  let lines: Uint8Array[] = [];
  let times: number[] = [];
  let bytes = 0;
  return {
    /** Whether the output with this line is no longer than `bytesMax`. */
    isRoomFor(line: string, bytesMax: number): boolean {
      const room = bytesMax - head.bytes - bytes;
      return LINE_ROOM <= room || byteLength(withOpening(look, line)) < room;
    },
    /** Adds a line. Returns whether a chunk is full. */
    add(line: string, atMs: number): boolean {
      const encoded = encoder.encode(withOpening(look, line));
      look = lookAtEnd(look, line);
      lines.push(encoded);
      times.push(atMs);
      bytes += encoded.length + 1;
      outline.add(head.lines + lines.length, line);
      return bytes >= CHUNK_BYTES || lines.length >= CHUNK_LINES_MAX;
    },
    /** Takes the lines and what changed in the outline; null if there are no lines. */
    take() {
      if (lines.length === 0) return null;
      const first = head.lines + 1;
      const chunk = chunkOf(lines, times);
      Object.assign(head, outline.head());
      head.lines += lines.length;
      head.bytes += bytes;
      [lines, times, bytes] = [[], [], 0];
      const sections = [...outline.changed()].map(([n, some]) => [n, packed(some)] as const);
      return {
        add(op: Atomic) {
          op.set(rowKeys.taskLogChunk(taskId, first), deflated(chunk));
          for (const [n, some] of sections) op.set(rowKeys.taskLogSection(taskId, n), some);
        },
        records: () => recordsOf(first, chunk),
      };
    },
  };
}

function publish({ hub, projectId, taskId }: LogTarget, records: LogRecord[]) {
  hub.publish({ type: "log", project_id: projectId, task_id: taskId, records });
}
