import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import type { LiveRecord } from "@/lib/base/hub.ts";
import { addLines, type LineRange, type LogLines, nextPage } from "./lines.ts";
import { followEvents } from "./task_events.ts";

/** A task's output as a page begins with it. */
export interface LogStart {
  /** Some lines of it, one after the other. */
  records: LiveRecord[];
  /** How many lines there are. */
  lines: number;
  /** Whether others may come. */
  isLive: boolean;
}

const RETRY_MS = 2_000;
const ANSWER_MS = 15_000;

/**
 * A task's output, of which only the part is held that is read. New lines come by the event stream
 * below `api`; those that `want` asks for, and that are not there, are read from the store.
 */
export function useLogData(api: string, start: LogStart) {
  const held = useRef<LogLines | null>(null);
  held.current ??= new Map(start.records.map((record) => [record.id, record]));
  const wanted = useRef<LineRange[]>([]);
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
      ? followEvents(`${api}/events`, start.lines, {
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
    /** Has these lines held before long. */
    want(places: LineRange[]) {
      wanted.current = places;
      fill.current();
    },
  };
}

interface Reading {
  url: string;
  /** What is missing now. */
  next(): { after: number; limit: number } | null;
  add(records: LiveRecord[]): void;
  connected(is: boolean): void;
}

/** What reads pages, one at a time, until none is missing; it is called whenever one may be. */
function reader(gone: AbortSignal, { url, next, add, connected }: Reading): () => void {
  let isBusy = false;
  async function read() {
    for (let page = next(); page && !gone.aborted; page = next()) {
      const signal = AbortSignal.timeout(ANSWER_MS);
      const answer = await fetch(`${url}?after=${page.after}&limit=${page.limit}`, { signal });
      if (!answer.ok) throw new Error(`${answer.status}`);
      const records: LiveRecord[] = await answer.json();
      if (records.length === 0) return; // It was deleted meanwhile.
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
