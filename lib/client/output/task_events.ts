import type { LiveRecord } from "@/lib/base/hub.ts";
import { followStream } from "../page/stream.ts";

/** Event with a task from its event stream, for the islands that show it. */
export const TASK_CHANGED = "callboard:task";

interface Listener {
  /** Receives new lines in order. */
  lines(records: LiveRecord[]): void;
  connected(is: boolean): void;
  /** The task has ended. */
  ended(): void;
}

/**
 * Reads a task's event stream from the line after `after` to its end, over any number of
 * connections. After an interruption it continues at the same line. Returns a function that stops
 * it.
 */
export function followTaskEvents(url: string, after: number, listener: Listener): () => void {
  const closing = new AbortController();
  let last = after;

  function take({ event, data }: { event?: string; data: string }) {
    if (event === "end") {
      closing.abort();
      listener.ended();
    }
    if (event === "update") {
      dispatchEvent(new CustomEvent(TASK_CHANGED, { detail: JSON.parse(data) }));
    }
    if (event !== "log") return;
    const records = (JSON.parse(data) as LiveRecord[]).filter(({ id }) => id > last);
    if (records.length === 0) return;
    last = records.at(-1)!.id;
    listener.lines(records);
  }

  const address = () => `${url}?after=${last}&lang=${document.documentElement.lang}`;
  const heard = () => listener.connected(true);
  const lost = () => listener.connected(false);
  followStream(address, { take, heard, lost }, closing.signal).catch(reportError);
  return () => closing.abort();
}
