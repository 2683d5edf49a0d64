import { EmptyLine, LogLine } from "./LogLine.tsx";
import type { TaskLogTexts } from "./log_texts.ts";
import { LogFold } from "./LogFold.tsx";
import type { useLogData } from "../../lib/client/output/data.ts";
import type { useLogOutline } from "../../lib/client/output/outline.ts";
import type { useLogView } from "../../lib/client/output/viewport.ts";
import type { Mark } from "@/lib/output/highlights.ts";

interface LogRowsProps {
  data: ReturnType<typeof useLogData>;
  view: ReturnType<typeof useLogView>;
  outline: ReturnType<typeof useLogOutline>;
  texts: TaskLogTexts;
  language: string;
  clock(iso: string): string;
  lineUrl: string;
  /** The current line, and the lines that match the search. */
  current: number | null;
  hits: Map<number, Mark[]>;
  wraps: boolean;
  fromEnd: boolean;
  onName(event: MouseEvent, line: number): void;
}

/** The box of a log, with the rows around the current position between two gaps. */
export function LogRows(props: LogRowsProps) {
  const { data, view, outline, texts, clock, lineUrl, current, hits, wraps, fromEnd } = props;
  const { language, onName } = props;
  const { first, last } = view.rows;
  const { lineOf } = outline.folds;
  const shown = Array.from({ length: last - first + 1 }, (_, n) => lineOf(first + n));
  return (
    <div
      class={`log-box ${wraps ? "log-wraps" : ""} ${fromEnd ? "log-from-end" : ""}`}
      ref={view.box}
      role="log"
      aria-label={texts.label}
      aria-live="off"
      tabIndex={0}
      autofocus
      onScroll={view.onScroll}
    >
      <div>
        {data.total === 0 && <p class="log-empty">{texts.empty}</p>}
        <div ref={view.above} aria-hidden="true" />
        {shown.map((id) => {
          const record = data.line(id);
          const part = outline.at(id);
          const fold = part && (
            <LogFold
              {...part}
              {...{ texts, language }}
              turn={() => outline.turn(id)}
            />
          );
          if (!record) return <EmptyLine key={id} {...{ id, fold }} text={part?.section.title} />;
          const look = { found: id === current, hit: hits.has(id), marks: hits.get(id) };
          const href = `${lineUrl}${id}`;
          return <LogLine key={id} {...{ record, clock, href, fold, onName, ...look }} />;
        })}
        <div ref={view.below} aria-hidden="true" />
      </div>
    </div>
  );
}
