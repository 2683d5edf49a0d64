import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { LiveRecord } from "@/lib/base/hub.ts";

export const ROW_HEIGHT = 20;
/** Rows rendered beyond the visible ones, so that scrolling shows no gaps. */
const OVERSCAN = 30;

/**
 * Where in a log the reader is: at its end as long as they do not scroll up, or at the line that
 * the address names. `shown` are the rows in sight, the first of them row `first`.
 */
export function useLogScroll(records: LiveRecord[]) {
  const box = useRef<HTMLDivElement>(null);
  const [follow, setFollow] = useState(true);
  const [view, setView] = useState({ top: 0, height: 600 });
  /** Of all lines, when the box was last looked at. */
  const height = useRef(0);

  useLayoutEffect(() => {
    if (!follow || !box.current) return;
    height.current = box.current.scrollHeight;
    box.current.scrollTop = height.current;
  }, [follow, records.length]);

  function scrollTo(row: number) {
    setFollow(false);
    box.current?.scrollTo({ top: Math.max(0, (row - 5) * ROW_HEIGHT) });
  }

  function onScroll() {
    const { scrollTop, clientHeight, scrollHeight } = box.current!;
    setView({ top: scrollTop, height: clientHeight });
    const atEnd = scrollHeight - scrollTop - clientHeight < ROW_HEIGHT * 2;
    // Where lines came or went meanwhile, it was not the reader who left the end.
    if (atEnd || scrollHeight === height.current) setFollow(atEnd);
    height.current = scrollHeight;
  }

  const target = useNamedLine(records, (row) => row === null ? setFollow(false) : scrollTo(row));
  const rowAtTop = Math.min(Math.floor(view.top / ROW_HEIGHT), records.length);
  const first = Math.max(0, rowAtTop - OVERSCAN);
  const shown = records.slice(first, first + Math.ceil(view.height / ROW_HEIGHT) + 2 * OVERSCAN);
  return { box, follow, setFollow, scrollTo, onScroll, target, first, shown };
}

/**
 * The line that the address names ("#L1234"), which is there only when the stream has brought it:
 * `go` is called at once, with null, and then with its row.
 */
function useNamedLine(records: LiveRecord[], go: (row: number | null) => void): number | null {
  const [target, setTarget] = useState<number | null>(null);
  useEffect(() => {
    const line = /^#L(\d+)$/.exec(location.hash)?.[1];
    if (line) setTarget(Number(line));
    if (line) go(null);
  }, []);
  const row = target === null || records[0]?.id !== 1 ? -1 : target - 1;
  const isThere = row >= 0 && row < records.length;
  useEffect(() => {
    if (isThere) go(row);
  }, [isThere]);
  return target;
}
