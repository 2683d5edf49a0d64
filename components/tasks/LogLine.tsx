import type { LiveRecord } from "@/lib/base/hub.ts";
import { utcText } from "@/lib/i18n/ui.ts";
import { ansiSpans } from "@/lib/tasks/ansi.ts";

interface LogLineProps {
  record: LiveRecord;
  /** "08:40:55" in the reader's zone. */
  clock(iso: string): string;
  /** It is the one that is pointed at. */
  found?: boolean;
  /** The search found it, too. */
  hit?: boolean;
  /** Its own address. */
  href: string;
  /** Its number was pressed. */
  onName?(event: MouseEvent, line: number): void;
}

/** How Ansible begins a line that tells of a failure, after its colours. */
// deno-lint-ignore no-control-regex -- colours begin so
const FAILURE = /^(?:\x1b\[[\d;]*m)*(?:fatal: \[|failed: \[|ERROR!|\[ERROR\]:)/;

/** One line of output: its number, its time, and its text in Ansible's colours. */
export function LogLine({ record, clock, found = false, hit = false, href, onName }: LogLineProps) {
  const { id, time, output } = record;
  const look = found ? "log-found" : hit ? "log-hit" : FAILURE.test(output) ? "log-failure" : "";
  return (
    <div class={`log-line ${look}`} id={`L${id}`}>
      <a
        class="log-number"
        href={href}
        tabIndex={-1}
        onClick={onName && ((event) => onName(event, id))}
      >
        {id}
      </a>{" "}
      <time class="log-time" dateTime={time} title={utcText(time)}>{clock(time)}</time>{" "}
      <span class="log-text">
        {ansiSpans(output).map(({ text, className }, n) => (
          // Always an element: texts in an array are escaped twice by precompiled JSX.
          <span key={n} class={className || undefined}>{text}</span>
        ))}
      </span>
    </div>
  );
}

/** Stands for a line that has not been read yet. */
export const EmptyLine = ({ id }: { id: number }) => (
  <div class="log-line" id={`L${id}`}>
    <span class="log-number">{id}</span>
  </div>
);
