import type { ComponentChildren } from "preact";
import type { LiveRecord } from "@/lib/base/hub.ts";
import { utcText } from "@/lib/i18n/ui.ts";
import { showsFailure } from "@/lib/output/banners.ts";
import { type Highlight, highlightedSpans } from "@/lib/output/highlights.ts";

interface LogLineProps {
  record: LiveRecord;
  /** Time such as "08:40:55" in the reader's zone. */
  clock(iso: string): string;
  /** Whether it is the line that the address names. */
  found?: boolean;
  /** Whether it matches the search. */
  hit?: boolean;
  /** Matches in the line, to highlight. */
  marks?: Highlight[];
  /** Address of the line; missing if a press on the line does something else. */
  href?: string;
  /** The button that folds the lines after it. */
  fold?: ComponentChildren;
  /** Called when its number is pressed. */
  onName?(event: MouseEvent, line: number): void;
}

/** One line of output: its number, its time, and its text in Ansible's colors. */
export function LogLine(
  { record, clock, found = false, hit = false, marks, href, fold, onName }: LogLineProps,
) {
  const { id, time, output } = record;
  const failure = showsFailure(output) ? "log-failure" : "";
  const look = found ? "log-found" : `${failure} ${hit ? "log-hit" : ""}`.trim();
  return (
    <div class={`log-line ${look}`} id={`L${id}`}>
      {href
        ? (
          <a
            class="log-number"
            href={href}
            aria-current="false"
            tabIndex={-1}
            onClick={onName && ((event) => onName(event, id))}
          >
            {id}
          </a>
        )
        : <span class="log-number">{id}</span>}{" "}
      <time class="log-time" dateTime={time} title={utcText(time)}>{clock(time)}</time>{" "}
      <span class="log-text">
        {highlightedSpans(output, marks).map(({ text, className, isHighlighted }, n) => {
          // Always an element, because precompiled JSX escapes texts in an array twice.
          const Part = isHighlighted ? "mark" : "span";
          return <Part key={n} class={className || undefined}>{text}</Part>;
        })}
      </span>
      {fold}
    </div>
  );
}

interface EmptyLineProps {
  id: number;
  /** Text of the line, if it is known. */
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
