import { useEffect, useState } from "preact/hooks";
import { onceGone } from "@/components/page/shown.ts";
import type { LiveRecord } from "@/lib/base/hub.ts";

/** A task as its event stream tells it to the islands that show it. */
export const TASK_CHANGED = "callboard:task";

const RETRY_MS = 2_000;
const RETRY_MS_MAX = 30_000;

/**
 * The lines of a task so far, from the server's event stream at `url`, and whether it is open now.
 * After a break it goes on at the line after the last one. It ends when `root` is gone.
 */
export function useTaskEvents(
  url: string,
  initial: LiveRecord[],
  root: { readonly current: Element | null },
) {
  const [records, setRecords] = useState(initial);
  const [connected, setConnected] = useState(true);
  useEffect(() => {
    const lines: LiveRecord[] = [];
    let frame = 0;
    const show = () => {
      frame = 0;
      setRecords(lines.slice());
    };
    const close = followEvents(url, {
      lines(records) {
        lines.push(...records);
        frame ||= requestAnimationFrame(show);
      },
      connected: setConnected,
    });
    const end = () => {
      cancelAnimationFrame(frame);
      close();
    };
    const forget = onceGone(root.current!, end);
    return () => {
      forget();
      end();
    };
  }, [url]);
  return { records, connected };
}

interface Listener {
  /** Lines that were not told before, in their order. */
  lines(records: LiveRecord[]): void;
  connected(is: boolean): void;
}

/** Reads the stream to its end, over any number of connections. Returns what stops it. */
function followEvents(url: string, listener: Listener): () => void {
  let events: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = 0;
  let failures = 0;

  function open() {
    events = new EventSource(`${url}?after=${last}`);
    events.addEventListener("log", (event) => {
      const records = (JSON.parse(event.data) as LiveRecord[]).filter(({ id }) => id > last);
      last = records.at(-1)?.id ?? last;
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
    // The browser goes on by itself after a break, but gives up at any other answer than a stream,
    // such as a proxy's while the server behind it starts.
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
