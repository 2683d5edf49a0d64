import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { LogLine } from "@/components/tasks/LogLine.tsx";
import { useSearch } from "@/components/tasks/log_search.ts";
import { useTaskEvents } from "@/components/tasks/task_events.ts";
import { logClock } from "@/lib/i18n/log_clock.ts";
import type { LiveRecord } from "@/lib/base/hub.ts";

interface TaskLogProps {
  /** Address of the task's event stream. */
  eventsUrl: string;
  /** The newest lines, as the server rendered them: shown until the stream has begun. */
  initial: LiveRecord[];
  language: string;
  /** Where Escape goes: the page below. */
  closeUrl: string;
  texts: TaskLogTexts;
}

/** The sentences of the log, in the reader's language. */
interface TaskLogTexts {
  label: string;
  follow: string;
  search: string;
  /** "{{count}}" is filled in here. */
  found: string;
  lines: string;
  empty: string;
  reconnecting: string;
}

const ROW_HEIGHT = 20;
/** Rows rendered beyond the visible ones, so that scrolling shows no gaps. */
const OVERSCAN = 30;

/**
 * A task's output, live: it follows the end unless the reader scrolled up, and renders only the
 * rows in sight, so that 100,000 lines are as light as a hundred.
 */
export default function TaskLog(
  { eventsUrl, initial, language, closeUrl, texts }: TaskLogProps,
) {
  const box = useRef<HTMLDivElement>(null);
  const { records, connected } = useTaskEvents(eventsUrl, initial);
  const [follow, setFollow] = useState(true);
  const [view, setView] = useState({ top: 0, height: 600 });
  /** Of all lines, when the box was last looked at. */
  const height = useRef(0);
  const search = useSearch(records);
  const clock = useMemo(() => logClock(language), [language]);

  useLayoutEffect(() => {
    if (!follow || !box.current) return;
    height.current = box.current.scrollHeight;
    box.current.scrollTop = height.current;
  }, [follow, records.length]);

  useEffect(() => {
    const closeOnEscape = ({ key, target }: KeyboardEvent) => {
      // In the search field Escape takes back what was typed, first.
      const typed = target instanceof HTMLInputElement && target.type === "search" && target.value;
      if (key === "Escape" && !typed) location.assign(closeUrl);
    };
    addEventListener("keydown", closeOnEscape);
    return () => removeEventListener("keydown", closeOnEscape);
  }, [closeUrl]);

  // An address may name a line ("#L1234"), which is there only when the stream has brought it.
  const [target, setTarget] = useState<number | null>(null);
  useEffect(() => {
    const line = /^#L(\d+)$/.exec(location.hash)?.[1];
    if (line) setTarget(Number(line));
    if (line) setFollow(false);
  }, []);
  const targetRow = target === null || records[0]?.id !== 1 ? -1 : target - 1;
  const isThere = targetRow >= 0 && targetRow < records.length;
  useEffect(() => {
    if (isThere) scrollTo(targetRow);
  }, [isThere]);

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

  const rowAtTop = Math.min(Math.floor(view.top / ROW_HEIGHT), records.length);
  const first = Math.max(0, rowAtTop - OVERSCAN);
  const shown = records.slice(first, first + Math.ceil(view.height / ROW_HEIGHT) + 2 * OVERSCAN);
  return (
    <>
      <div class="log-tools">
        <label class="log-follow">
          <input
            type="checkbox"
            checked={follow}
            onChange={(event) => setFollow(event.currentTarget.checked)}
          />
          {texts.follow}
        </label>
        <input
          type="search"
          class="log-search"
          aria-label={texts.search}
          placeholder={texts.search}
          onInput={(event) => search.look(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            const row = search.next();
            if (row !== null) scrollTo(row);
          }}
        />
        <span class="log-count" role="status">
          {!connected
            ? texts.reconnecting
            : search.wanted
            ? texts.found.replace("{{count}}", String(search.rows.length))
            : texts.lines.replace("{{count}}", String(records.length))}
        </span>
      </div>
      <div
        class="log-box"
        ref={box}
        role="log"
        aria-label={texts.label}
        aria-live="off"
        tabIndex={0}
        onScroll={onScroll}
      >
        {records.length === 0 && <p class="log-empty">{texts.empty}</p>}
        <Spacer rows={first} />
        {shown.map((record) => (
          <LogLine
            key={record.id}
            record={record}
            clock={clock}
            found={record.id === (search.current ?? target)}
          />
        ))}
        <Spacer rows={records.length - first - shown.length} />
      </div>
    </>
  );
}

/**
 * The height of rows that are not rendered. Set by script: the page allows no style attributes. Set
 * with the rows, never later: the browser would take the gap for the log's end.
 */
function Spacer({ rows }: { rows: number }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (element.current) element.current.style.height = `${rows * ROW_HEIGHT}px`;
  }, [rows]);
  return <div ref={element} aria-hidden="true" />;
}
