import type { ComponentChildren } from "preact";
import type { LiveRecord } from "@/lib/base/hub.ts";
import { utcText } from "@/lib/i18n/ui.ts";
import { tellsFailure } from "@/lib/output/banners.ts";
import { type Mark, markedSpans } from "@/lib/output/highlights.ts";

interface LogLineProps {
  record: LiveRecord;
  /** "08:40:55" in the reader's zone. */
  clock(iso: string): string;
  /** It is the one that is pointed at. */
  found?: boolean;
  /** The search found it, too. */
  hit?: boolean;
  /** What it found in it. */
  marks?: Mark[];
  /** Its own address; left out where the line itself is what is pressed. */
  href?: string;
  /** What folds the lines behind it. */
  fold?: ComponentChildren;
  /** Its number was pressed. */
  onName?(event: MouseEvent, line: number): void;
}

/** One line of output: its number, its time, and its text in Ansible's colours. */
export function LogLine(
  { record, clock, found = false, hit = false, marks, href, fold, onName }: LogLineProps,
) {
  const { id, time, output } = record;
  const failure = tellsFailure(output) ? "log-failure" : "";
  const look = found ? "log-found" : `${failure} ${hit ? "log-hit" : ""}`.trim();
  return (
    <div class={`log-line ${look}`} id={`L${id}`}>
      {href
        ? (
          <a
            class="log-number"
            href={href}
            tabIndex={-1}
            onClick={onName && ((event) => onName(event, id))}
          >
            {id}
          </a>
        )
        : <span class="log-number">{id}</span>}{" "}
      <time class="log-time" dateTime={time} title={utcText(time)}>{clock(time)}</time>{" "}
      <span class="log-text">
        {markedSpans(output, marks).map(({ text, className, isMarked }, n) => {
          // Always an element: texts in an array are escaped twice by precompiled JSX.
          const Part = isMarked ? "mark" : "span";
          return <Part key={n} class={className || undefined}>{text}</Part>;
        })}
      </span>
      {fold}
    </div>
  );
}

interface EmptyLineProps {
  id: number;
  /** What is known of it. */
  text?: string;
  fold?: ComponentChildren;
}

/** Stands for a line that has not been read yet. */
export const EmptyLine = ({ id, text, fold }: EmptyLineProps) => (
  <div class="log-line" id={`L${id}`}>
    <span class="log-number">{id}</span> {text && <span class="log-text">{text}</span>}
    {fold}
  </div>
);
