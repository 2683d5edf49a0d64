import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { LogLine } from "@/components/tasks/LogLine.tsx";
import { LogTools, type TaskLogTexts } from "@/components/tasks/LogTools.tsx";
import { ROW_HEIGHT, useLogScroll } from "@/components/tasks/log_scroll.ts";
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
  texts: TaskLogTexts;
}

/**
 * A task's output, live: it follows the end unless the reader scrolled up, and renders only the
 * rows in sight, so that 100,000 lines are as light as a hundred.
 */
export default function TaskLog(
  { eventsUrl, initial, language, texts }: TaskLogProps,
) {
  const root = useRef<HTMLDivElement>(null);
  const { records, connected } = useTaskEvents(eventsUrl, initial, root);
  const scroll = useLogScroll(records);
  const search = useSearch(records);
  const clock = useMemo(() => logClock(language), [language]);
  const { first, shown, target } = scroll;
  return (
    <div class="task-log" id="task-log" ref={root} data-island>
      <LogTools
        texts={texts}
        scroll={scroll}
        search={search}
        lines={records.length}
        connected={connected}
      />
      <div
        class="log-box"
        ref={scroll.box}
        role="log"
        aria-label={texts.label}
        aria-live="off"
        tabIndex={0}
        onScroll={scroll.onScroll}
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
    </div>
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
