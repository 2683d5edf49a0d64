import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import type { LiveRecord } from "@/lib/base/hub.ts";
import { addLines, type LoadedRange, type LogLines, nextPage } from "./lines.ts";
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

const RETRY_MS = 2_000;
const ANSWER_MS = 15_000;

/**
 * Holds the part of a task's output that is read. New lines come by the event stream below `api`.
 * Missing lines that `want` requests are read from the store.
 */
export function useLogData(api: string, start: LogStart) {
  const held = useRef<LogLines | null>(null);
  held.current ??= new Map(start.records.map((record) => [record.id, record]));
  const wanted = useRef<LoadedRange[]>([]);
  const fill = useRef(() => {});
  const [total, setTotal] = useState(start.lines);
  const [isStreaming, setStreaming] = useState(true);
  const [isReading, setReading] = useState(true);
  const [, redraw] = useReducer((count: number) => count + 1, 0);

  useEffect(() => {
    const lines = held.current!;
    const gone = new AbortController();
    const add = (records: LiveRecord[]) => addLines(lines, records, wanted.current);
    let frame = 0;
    let end = start.lines;
    const stop = start.isLive
      ? followTaskEvents(`${api}/events`, start.lines, {
        lines(records) {
          add(records);
          end = records.at(-1)!.id;
          frame ||= requestAnimationFrame(() => {
            frame = 0;
            setTotal(end);
          });
        },
        connected: setStreaming,
      })
      : () => {};
    fill.current = reader(gone.signal, {
      next: () => nextPage(lines, wanted.current),
      url: `${api}/output`,
      add(records) {
        add(records);
        redraw(0);
      },
      connected: setReading,
    });
    fill.current();
    return () => {
      gone.abort();
      cancelAnimationFrame(frame);
      stop();
    };
  }, [api]);

  return {
    total,
    isConnected: isStreaming && isReading,
    line: (id: number): LiveRecord | undefined => held.current!.get(id),
    /** Requests lines, which are held as soon as they are loaded. */
    want(places: LoadedRange[]) {
      wanted.current = places;
      fill.current();
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
