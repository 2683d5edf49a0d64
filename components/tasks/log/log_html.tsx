import { renderToString } from "preact-render-to-string";
import { LogLine } from "./LogLine.tsx";
import { hasNeverBegun, noOutputText } from "./log_texts.ts";
import { LogWays } from "./LogWays.tsx";
import { TaskOutputs } from "../TaskOutputs.tsx";
import { StatusChip } from "@/components/ui/StatusChip.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import { bannerOf } from "@/lib/output/banners.ts";
import type { HighlightedRecord } from "@/lib/output/highlights.ts";
import type { TaskPage } from "@/lib/web/pages/task_page.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import { mayFollow } from "@/lib/model/status.ts";

/**
 * Renders lines as HTML, for a page that is still being sent. Plays and tasks can be folded, except
 * in search results; `end` returns what follows the last line.
 */
export function linesHtml(ui: Ui, { window, line, search }: TaskPage) {
  const hrefOf = (id: number) => search ? `?line=${id}#L${id}` : `?from=${window.from}#L${id}`;
  let isOpen = false;
  function lineHtml(record: HighlightedRecord): string {
    const { id, output } = record;
    const folds = !search && bannerOf(output) !== null;
    const href = folds ? undefined : hrefOf(id);
    const html = renderToString(
      <LogLine
        record={record}
        clock={ui.clock}
        href={href}
        found={id === line}
        marks={record.marks}
      />,
    );
    if (!folds) return html;
    const before = isOpen ? "</details>" : "";
    isOpen = true;
    return `${before}<details class="log-part reveal" open><summary>${html}</summary>`;
  }
  return {
    html: (records: HighlightedRecord[]) => records.map(lineHtml).join(""),
    end: () => isOpen ? "</details>" : "",
  };
}

/**
 * Renders the status of a task that is finished or waits for confirmation below the last line. Of
 * others, it says that more will follow.
 */
export const endHtml = (ui: Ui, task: TaskView): string =>
  renderToString(
    <p class="log-empty">
      {mayFollow(task.status)
        ? ui.t("task_log.more")
        : hasNeverBegun(task)
        ? noOutputText(ui, task)
        : <StatusChip ui={ui} status={task.status} />}
    </p>,
  );

/** Renders the outputs of a task that has ended while its page was sent. */
export const outputsHtml = (ui: Ui, { task, outputs }: TaskPage): string =>
  renderToString(<TaskOutputs ui={ui} task={task} outputs={outputs} />);

/** Renders the links to lines other than those shown, which end at line `to`. */
export const waysHtml = (ui: Ui, page: TaskPage, shown: { to: number; found: number }): string =>
  renderToString(<LogWays ui={ui} page={page} shown={shown} />);
