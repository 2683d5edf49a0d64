import { renderToString } from "preact-render-to-string";
import { LogLine } from "./LogLine.tsx";
import { StatusChip } from "@/components/ui/StatusChip.tsx";
import { logClock } from "@/lib/i18n/log_clock.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { LogRecord } from "@/lib/tasks/log_store.ts";

/** Lines as markup, for a page that is still being sent. */
export function linesHtml(records: LogRecord[], { language }: Ui): string {
  const clock = logClock(language);
  return records.map((record) => renderToString(<LogLine record={record} clock={clock} />))
    .join("");
}

/** How the task ended, below its last line. */
export const endHtml = (status: string, ui: Ui): string =>
  renderToString(
    <p class="log-empty">
      <StatusChip ui={ui} status={status} />
    </p>,
  );
