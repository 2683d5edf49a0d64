import type { LiveRecord } from "@/lib/base/hub.ts";
import { ansiSpans } from "./ansi.ts";

interface LogLineProps {
  record: LiveRecord;
  /** "08:40:55" in the reader's language. */
  clock(iso: string): string;
  found?: boolean;
  /** The page that has the line, where the address does not say it. */
  page?: string;
}

/** One line of output: its number, its time, and its text in Ansible's colours. */
export function LogLine(
  { record: { id, time, output }, clock, found = false, page = "" }: LogLineProps,
) {
  return (
    <div class={`log-line ${found ? "log-found" : ""}`} id={`L${id}`}>
      <a class="log-number" href={`${page}#L${id}`} tabIndex={-1}>{id}</a>{" "}
      <time class="log-time" dateTime={time}>{clock(time)}</time>{" "}
      <span class="log-text">
        {ansiSpans(output).map(({ text, className }, n) => (
          // Always an element: texts in an array are escaped twice by precompiled JSX.
          <span key={n} class={className || undefined}>{text}</span>
        ))}
      </span>
    </div>
  );
}
