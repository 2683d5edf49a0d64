import { join } from "node:path";
import { removeTree } from "../../execution/process/files.ts";
import type { RunEvent } from "../../execution/run/events.ts";
import { REPORT_BYTES_MAX, REPORT_ITEMS_MAX, type ReportAnswer } from "../protocol.ts";
import { wireEvent } from "../wire_events.ts";
import { createRecords, type Records } from "./records.ts";
import { createSpoolDisk, type SpoolDiskOptions } from "./spool_disk.ts";

/** Bytes that a run may print while its server does not store them. Then the play waits. */
const WAITING_BYTES_MAX = 256 * 1024 * 1024;
/** Half of a report each for lines and events, with room for the rest. */
const HALF_BYTES_MAX = REPORT_BYTES_MAX * 0.45;

export const spoolDirectory = (dataDir: string) => join(dataDir, "spool");

/** Lines and events of a report, as JSON. */
interface Batch {
  linesFrom: number;
  lines: string[];
  eventsFrom: number;
  events: string[];
}

/** Numbers of lines and events that the server has, as it answers. */
type Received = Pick<ReportAnswer, "lines" | "events" | "stored_lines">;

/** The lines and events of one run until the server has stored them. */
export interface Spool {
  /** Numbers of lines and events so far. */
  readonly count: { lines: number; events: number };
  /** Whether the server lacks a line or an event, or has not stored a line. */
  readonly isUnsent: boolean;
  readonly isUnstored: boolean;
  /** Bytes that the server lacks, roughly. */
  readonly unsentBytes: number;
  /** Adds a line with its time. Waits while the server is too far behind. */
  addLine(at: number, line: string): void | Promise<void>;
  addEvent(event: RunEvent): void | Promise<void>;
  /** Returns what the server lacks, up to `share` of the largest report. */
  next(share: number): Promise<Batch>;
  /** Continues, or goes back, to where the server is. Returns false if that is no longer there. */
  acknowledge(received: Received): Promise<boolean>;
  /** Lets writers go on, whose records are not needed any more. */
  close(): void;
  remove(): Promise<void>;
}

/** Limits what waits for the server. */
function createRoom(bytesMax: number) {
  let used = 0;
  let isClosed = false;
  let change = Promise.withResolvers<void>();
  const isFull = () => used > bytesMax && !isClosed;
  return {
    add: (bytes: number) => void (used += bytes),
    isFull,
    async wait() {
      while (isFull()) await change.promise;
    },
    set(bytes: number) {
      used = bytes;
      change.resolve();
      change = Promise.withResolvers();
    },
    close() {
      isClosed = true;
      change.resolve();
    },
  };
}

/** Creates the empty lists of a spool, which share its disk. */
function createLists(directory: string, fullDisk: SpoolDiskOptions) {
  const disk = createSpoolDisk(fullDisk);
  return {
    disk,
    // The server takes lines without a file, too.
    lines: createRecords({ directory, name: "lines", disk, staysInMemory: false }),
    // All of them stay until the end, because a server that takes a run over begins with the first.
    events: createRecords({ directory, name: "events", disk, staysInMemory: true }),
  };
}

/** Creates the spool of a run, with a folder of its own for what does not fit into memory. */
export function createSpool(
  directory: string,
  fullDisk: SpoolDiskOptions,
  waitingBytesMax = WAITING_BYTES_MAX,
): Spool {
  const { disk, lines, events } = createLists(directory, fullDisk);
  const sent = { lines: 0, events: 0, stored: 0 };
  /** The latest batch: where it ends, and its length. */
  let batch = { lines: 0, events: 0, length: 0 };
  let unsentBytes = 0;
  const room = createRoom(waitingBytesMax);

  function add(list: Records, text: string): void | Promise<void> {
    unsentBytes += text.length;
    room.add(text.length);
    const added = list.add(text);
    return room.isFull() ? Promise.all([added, room.wait()]).then(() => {}) : added;
  }

  return {
    get count() {
      return { lines: lines.count, events: events.count };
    },
    get isUnsent() {
      return sent.lines < lines.count || sent.events < events.count;
    },
    get isUnstored() {
      return sent.stored < lines.count;
    },
    get unsentBytes() {
      return unsentBytes;
    },
    addLine: (at, line) => add(lines, JSON.stringify([at, line])),
    // The number of lines before it is put in front, so that no event arrives before its lines.
    addEvent: (event) => add(events, `${lines.count} ${JSON.stringify(wireEvent(event))}`),
    async next(share) {
      const limits = { bytesMax: HALF_BYTES_MAX * share, itemsMax: REPORT_ITEMS_MAX };
      const { lines: linesFrom, events: eventsFrom } = sent;
      const someLines = await lines.read(linesFrom, limits);
      const reached = linesFrom + someLines.length;
      const someEvents = await events.read(eventsFrom, limits);
      const early = someEvents.findIndex((text) => parseInt(text) > reached);
      if (early !== -1) someEvents.length = early;
      const length = [...someLines, ...someEvents].reduce((sum, text) => sum + text.length, 0);
      batch = { lines: reached, events: eventsFrom + someEvents.length, length };
      const bare = someEvents.map((text) => text.slice(text.indexOf(" ") + 1));
      return { linesFrom, lines: someLines, eventsFrom, events: bare };
    },
    async acknowledge(received) {
      if (received.lines < sent.stored) return false;
      sent.lines = Math.min(received.lines, lines.count);
      sent.events = Math.min(received.events, events.count);
      sent.stored = Math.min(received.stored_lines, sent.lines);
      await lines.release(sent.stored);
      unsentBytes = sent.lines === batch.lines && sent.events === batch.events
        ? unsentBytes - batch.length
        : lines.bytesFrom(sent.lines) + events.bytesFrom(sent.events);
      room.set(lines.bytesFrom(sent.stored) + events.bytesFrom(sent.events));
      return true;
    },
    close() {
      room.close();
      disk.close();
    },
    remove() {
      disk.close();
      return removeTree(directory);
    },
  };
}
