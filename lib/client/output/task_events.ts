import type { LiveRecord } from "@/lib/base/hub.ts";

/** Event with a task from its event stream, for the islands that show it. */
export const TASK_CHANGED = "callboard:task";

const RETRY_MS = 2_000;
const RETRY_MS_MAX = 30_000;

interface Listener {
  /** Receives new lines in order. */
  lines(records: LiveRecord[]): void;
  connected(is: boolean): void;
}

/**
 * Reads a task's event stream from the line after `after` to its end, over any number of
 * connections. After an interruption it continues at the same line. Returns a function that stops
 * it.
 */
export function followTaskEvents(url: string, after: number, listener: Listener): () => void {
  let events: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = after;
  let failures = 0;

  function open() {
    events = new EventSource(`${url}?after=${last}&lang=${document.documentElement.lang}`);
    events.addEventListener("log", (event) => {
      const records = (JSON.parse(event.data) as LiveRecord[]).filter(({ id }) => id > last);
      if (records.length === 0) return;
      last = records.at(-1)!.id;
      listener.lines(records);
    });
    events.addEventListener("update", (event) => {
      dispatchEvent(new CustomEvent(TASK_CHANGED, { detail: JSON.parse(event.data) }));
    });
    events.addEventListener("end", () => events.close());
    events.addEventListener("open", () => {
      failures = 0;
      listener.connected(true);
    });
    events.addEventListener("error", retry);
  }

  function retry() {
    listener.connected(false);
    // The browser reconnects after an interruption. It gives up if the answer is not a stream, such
    // as that of a proxy while the server behind it starts.
    if (events.readyState !== EventSource.CLOSED) return;
    timer = setTimeout(open, Math.min(RETRY_MS * 2 ** failures, RETRY_MS_MAX));
    failures++;
  }

  open();
  return () => {
    clearTimeout(timer);
    events.close();
  };
}
