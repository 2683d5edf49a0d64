import type { Ui } from "../../lib/i18n/ui.ts";
import { Dash } from "./cells.tsx";

/** "3 minutes ago", with the exact time on hover; a dash when there is none. */
export function Time({ ui, at, now }: { ui: Ui; at: string | null; now?: Date }) {
  if (!at) return <Dash />;
  return (
    <time dateTime={at} title={ui.dateTime(at)} class="whitespace-nowrap">
      {ui.relativeTime(at, now?.getTime())}
    </time>
  );
}

/** How long something took, or has taken until `now`; a dash when it has not begun. */
export function Duration(
  { ui, start, end, now = new Date() }: {
    ui: Ui;
    start: string | null;
    end: string | null;
    now?: Date;
  },
) {
  if (!start) return <Dash />;
  const ms = (end ? Date.parse(end) : now.getTime()) - Date.parse(start);
  return (
    <span class="whitespace-nowrap" data-since={end ? undefined : start}>{ui.duration(ms)}</span>
  );
}
