import type { Ui } from "../../lib/i18n/ui.ts";
import { utcText } from "../../lib/i18n/ui.ts";
import { Dash } from "./lists/cells.tsx";

interface TimeProps {
  ui: Ui;
  /** In ISO 8601; null if there is none. */
  at: string | null;
}

/**
 * A time such as "3m ago", with the exact time on hover; a dash if there is none. With `ticks`, a
 * script keeps it up to date.
 */
export function Time({ ui, at, now, ticks }: TimeProps & { now?: Date; ticks?: boolean }) {
  if (!at) return <Dash />;
  return (
    <time
      dateTime={at}
      title={ui.exact(at)}
      class="whitespace-nowrap"
      data-ago={ticks ? at : undefined}
    >
      {ui.relativeTime(at, now?.getTime())}
    </time>
  );
}

/** A planned time to the minute, in the reader's zone, with UTC on hover. */
export function PlannedTime({ ui, at }: TimeProps) {
  if (!at) return <Dash />;
  return <time dateTime={at} title={utcText(at)} class="whitespace-nowrap">{ui.minute(at)}</time>;
}

/**
 * A coming time such as "in 23s". With a script it keeps counting, and the page is loaded again
 * once the time has passed.
 */
export const ComingTime = ({ ui, at, now }: { ui: Ui; at: string; now: Date }) => (
  <time dateTime={at} title={ui.exact(at)} class="whitespace-nowrap" data-until={at}>
    {ui.relativeTime(at, now.getTime())}
  </time>
);

interface DurationProps {
  ui: Ui;
  start: string | null;
  end: string | null;
  now?: Date;
}

/**
 * Duration until the end or until `now`. With a script it keeps counting. Shows a dash before the
 * start.
 */
export function Duration({ ui, start, end, now = new Date() }: DurationProps) {
  if (!start) return <Dash />;
  const n = end ? 1 : 0;
  const ms = (end ? Date.parse(end) : now.getTime()) - Date.parse(start);
  return (
    // The key replaces the element at the end, because ticking has changed its text outside Preact.
    <span key={n} class="whitespace-nowrap" data-since={end ? undefined : start}>
      {ui.duration(ms)}
    </span>
  );
}
