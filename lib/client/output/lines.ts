import { computed, signal } from "@preact/signals-core";
import type { LiveRecord } from "@/lib/base/hub.ts";
import { followTaskEvents } from "./task_events.ts";

/** The part of a task's output that a page starts with. */
export interface LogStart {
  /** Some consecutive lines. */
  records: LiveRecord[];
  /** Total number of lines. */
  lines: number;
  /** Whether more lines may come. */
  isLive: boolean;
}

/** Lines of a log that the browser holds, by number: those around the current position. */
export type LogLines = Map<number, LiveRecord>;

/** Maximum number of lines that are held. */
const HELD_MAX = 4_000;
/** Number of lines per request. */
export const PAGE_LINES = 500;
const RETRY_MS = 2_000;
const ANSWER_MS = 15_000;

/** Range of lines, both ends included. */
export type LoadedRange = readonly [from: number, to: number];

/** Adds lines. If there are too many, drops those that are far from all of `places`. */
export function addLines(held: LogLines, records: LiveRecord[], places: LoadedRange[]): void {
  for (const record of records) held.set(record.id, record);
  if (held.size <= HELD_MAX) return;
  const near = HELD_MAX / 2 / Math.max(1, places.length);
  for (const id of held.keys()) {
    if (!places.some(([from, to]) => id >= from - near && id <= to + near)) held.delete(id);
  }
}

/**
 * Returns the next page of lines to request, so that all of `places` are held; null if none is
 * missing.
 */
export function nextPage(held: LogLines, places: LoadedRange[]): ReturnType<typeof missingPage> {
  for (const [from, to] of places) {
    const page = missingPage(held, from, to);
    if (page) return page;
  }
  return null;
}

/**
 * Returns the page of lines to request so that those from `from` to `to` are held: the page that
 * ends at lines that are already held, or else the page that starts at the first missing line.
 * Returns null if none is missing.
 */
export function missingPage(
  held: LogLines,
  from: number,
  to: number,
): { after: number; limit: number } | null {
  let first = from;
  while (first <= to && held.has(first)) first++;
  if (first > to) return null;
  let last = first;
  while (last < to && !held.has(last + 1)) last++;
  return { after: last < to ? Math.max(0, last - PAGE_LINES) : first - 1, limit: PAGE_LINES };
}

/**
 * The part of a task's output that is read. New lines come by the event stream below `api`. Missing
 * lines that `want` requests are read from the store.
 */
export function createLines(api: string, start: LogStart) {
  const held: LogLines = new Map(start.records.map((record) => [record.id, record]));
  let wanted: LoadedRange[] = [];
  let fill = () => {};
  const total = signal(start.lines);
  /** Number of pages that were added to the held lines. */
  const pages = signal(0);
  const isStreaming = signal(true);
  const isReading = signal(true);
  const hasEnded = signal(false);
  const add = (records: LiveRecord[]) => addLines(held, records, wanted);

  /** Adds the lines of the event stream, at most once per frame. */
  function follow(): () => void {
    let frame = 0;
    const stop = followTaskEvents(`${api}/events`, start.lines, {
      lines(records) {
        add(records);
        const end = records.at(-1)!.id;
        cancelAnimationFrame(frame);
        frame = requestAnimationFrame(() => total.value = end);
      },
      connected: (is) => isStreaming.value = is,
      ended: () => hasEnded.value = true,
    });
    return () => {
      cancelAnimationFrame(frame);
      stop();
    };
  }

  return {
    total,
    /** Whether the task has ended since the page was opened. */
    hasEnded,
    isConnected: computed(() => isStreaming.value && isReading.value),
    /** Returns a line if it is held. */
    find(id: number): LiveRecord | undefined {
      void (pages.value, total.value); // The lines are no signal.
      return held.get(id);
    },
    /** Requests lines, which are held as soon as they are loaded. */
    want(places: LoadedRange[]) {
      wanted = places;
      fill();
    },
    /** Reads lines until the returned function is called. */
    open(): () => void {
      const gone = new AbortController();
      const stop = start.isLive ? follow() : () => {};
      fill = reader(gone.signal, {
        next: () => nextPage(held, wanted),
        url: `${api}/output`,
        add(records) {
          add(records);
          pages.value++;
        },
        connected: (is) => isReading.value = is,
      });
      fill();
      return () => {
        gone.abort();
        stop();
      };
    },
  };
}

interface Reading {
  url: string;
  /** Returns the next missing page; null if there is none. */
  next(): { after: number; limit: number } | null;
  add(records: LiveRecord[]): void;
  connected(is: boolean): void;
}

/**
 * Returns a function that reads pages one by one until none is missing. Call it whenever one may
 * be.
 */
function reader(gone: AbortSignal, { url, next, add, connected }: Reading): () => void {
  let isBusy = false;
  async function read() {
    for (let page = next(); page && !gone.aborted; page = next()) {
      const signal = AbortSignal.timeout(ANSWER_MS);
      const answer = await fetch(`${url}?after=${page.after}&limit=${page.limit}`, { signal });
      if (!answer.ok) throw new Error(`${answer.status}`);
      const records: LiveRecord[] = await answer.json();
      if (records.length === 0) return; // The task was deleted in the meantime.
      connected(true);
      add(records);
    }
  }
  function start() {
    if (isBusy || gone.aborted) return;
    isBusy = true;
    read().then(() => isBusy = false, () => {
      if (gone.aborted) return;
      connected(false);
      setTimeout(() => {
        isBusy = false;
        start();
      }, RETRY_MS);
    });
  }
  return start;
}
