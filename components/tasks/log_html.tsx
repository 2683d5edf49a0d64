import { renderToString } from "preact-render-to-string";
import { LogLine } from "./LogLine.tsx";
import { LogWays } from "./LogWays.tsx";
import { StatusChip } from "@/components/ui/StatusChip.tsx";
import { logClock } from "@/lib/i18n/log_clock.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { LogRecord } from "@/lib/tasks/log_chunk.ts";
import type { LogWindow } from "@/lib/tasks/log_window.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import { isFinished } from "@/lib/tasks/status.ts";

/** Lines as markup, for a page that is still being sent; it begins with line `from`. */
export function linesHtml(records: LogRecord[], from: number, { language }: Ui): string {
  const clock = logClock(language);
  const page = `?from=${from}`;
  return records
    .map((record) => renderToString(<LogLine record={record} clock={clock} page={page} />))
    .join("");
}

/** How the task ended, or that it goes on: below its last line. */
export const endHtml = (ui: Ui, { status }: TaskView): string =>
  renderToString(
    <p class="log-empty">
      {isFinished(status) ? <StatusChip ui={ui} status={status} /> : ui.t("task_log.more")}
    </p>,
  );

/** The ways to other lines than those that were shown. */
export const waysHtml = (ui: Ui, task: TaskView, shown: LogWindow): string =>
  renderToString(<LogWays ui={ui} task={task} window={shown} below />);
