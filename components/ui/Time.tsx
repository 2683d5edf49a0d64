import type { Ui } from "../../lib/i18n/ui.ts";
import { utcText } from "../../lib/i18n/ui.ts";
import { Dash } from "./cells.tsx";

interface TimeProps {
  ui: Ui;
  /** In ISO 8601; null: there is none. */
  at: string | null;
}

/** "3m ago", with the exact time on hover; a dash when there is none. */
export function Time({ ui, at, now }: TimeProps & { now?: Date }) {
  if (!at) return <Dash />;
  return (
    <time dateTime={at} title={ui.exact(at)} class="whitespace-nowrap">
      {ui.relativeTime(at, now?.getTime())}
    </time>
  );
}

/** A planned time to the minute, in the reader's zone, with UTC on hover. */
export function PlannedTime({ ui, at }: TimeProps) {
  if (!at) return <Dash />;
  return <time dateTime={at} title={utcText(at)}>{ui.minute(at)}</time>;
}

interface DurationProps {
  ui: Ui;
  start: string | null;
  end: string | null;
  now?: Date;
}

/**
 * How long something took, or has taken until `now`: that goes on where a script is. A dash when it
 * has not begun.
 */
export function Duration({ ui, start, end, now = new Date() }: DurationProps) {
  if (!start) return <Dash />;
  const n = end ? 1 : 0;
  const ms = (end ? Date.parse(end) : now.getTime()) - Date.parse(start);
  return (
    // Another element at its end: what ticked in an island is not the island's text any more.
    <span key={n} class="whitespace-nowrap" data-since={end ? undefined : start}>
      {ui.duration(ms)}
    </span>
  );
}
