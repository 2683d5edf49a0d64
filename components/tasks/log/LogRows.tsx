import { useMemo } from "react";
import { EmptyLine, LogLine } from "./LogLine.tsx";
import type { TaskLogTexts } from "./log_texts.ts";
import { useLogBox } from "@/lib/client/output/box.ts";
import type { LiveRecord } from "@/lib/base/hub.ts";
import type { FoldedSection } from "@/lib/client/output/folds.ts";
import type { LogStore } from "@/lib/client/output/log.ts";
import { inPlural } from "@/lib/i18n/plural.ts";
import { useComputed } from "@/lib/client/use_computed.ts";

interface LogRowsProps {
  log: LogStore;
  texts: TaskLogTexts;
  language: string;
  /** Time such as "08:40:55" in the reader's zone. */
  clock(iso: string): string;
}

/** The box of a log, with the rows around the current position between two gaps. */
export function LogRows({ log, ...props }: LogRowsProps) {
  const { box, above, below, onScroll } = useLogBox(log);
  const { first, last } = log.viewport.rows.value;
  const { lineOf } = log.outline.folds.value;
  const shown = Array.from({ length: last - first + 1 }, (_, n) => lineOf(first + n));
  return (
    <div
      class={`log-box ${log.wraps.value ? "log-wraps" : ""} ${log.fromEnd ? "log-from-end" : ""}`}
      ref={box}
      role="log"
      aria-label={props.texts.label}
      aria-live="off"
      tabIndex={0}
      autofocus
      onScroll={onScroll}
    >
      <div>
        {log.lines.total.value === 0 && (
          <p class="log-empty">
            {log.lines.hasEnded.value ? props.texts.none : props.texts.empty}
          </p>
        )}
        <div ref={above} aria-hidden="true" />
        {shown.map((id) => (
          <LogRow key={id} log={log} id={id} record={log.lines.find(id)} {...props} />
        ))}
        <div ref={below} aria-hidden="true" />
      </div>
    </div>
  );
}

interface LogRowProps extends LogRowsProps {
  id: number;
  /** The line, if it is loaded. The box passes it, because it stays in place while lines come. */
  record: LiveRecord | undefined;
}

/** The row of a line. It is rendered again only when its own content changes. */
function LogRow({ log, id, record, clock, texts, language }: LogRowProps) {
  const row = useMemo(() => log.row(id), [log, id]);
  const marks = row.marks.value;
  const section = row.section.value;
  const fold = section && <LogFold {...{ log, section, texts, language }} />;
  // Called like functions, so that a row costs one component.
  if (!record) return EmptyLine({ id, fold, text: section?.title });
  return LogLine({
    record,
    clock,
    href: log.hrefOf(id),
    found: row.isCurrent.value,
    hit: marks !== undefined,
    marks,
    fold,
    onName(event) {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      log.nameLine(id);
    },
  });
}

interface LogFoldProps extends Pick<LogRowsProps, "log" | "texts" | "language"> {
  section: FoldedSection;
}

/** The button on the first line of a play or task that folds and unfolds the other lines. */
function LogFold({ log: { outline }, section, texts, language }: LogFoldProps) {
  const isClosed = outline.isClosed(section);
  const lines = useComputed(() => outline.sizeOf(section)).value;
  const title = texts.fold_toggle.replace("{{title}}", () => section.title);
  return (
    <>
      <button
        type="button"
        class="log-fold"
        aria-expanded={!isClosed}
        aria-label={title}
        title={title}
        onClick={() => outline.toggle(section.line)}
      />
      {isClosed && <span class="log-folded">{inPlural(language, texts.lines, lines)}</span>}
      {section.failed > 0 && (
        <span class="log-failed">{inPlural(language, texts.failed, section.failed)}</span>
      )}
    </>
  );
}
