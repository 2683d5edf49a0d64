import { Button, ButtonLink } from "@/components/ui/Button.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { type LogWindow, newerFrom, olderFrom } from "@/lib/tasks/log_window.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";

interface LogWaysProps {
  ui: Ui;
  task: TaskView;
  window: LogWindow;
  /** Whether it stands below the lines, again. */
  below?: boolean;
}

/** Which lines a page without script shows, and the ways to the others. */
export function LogWays({ ui, task, window, below = false }: LogWaysProps) {
  const page = ui.href(paths.taskPage(task.project_id, task.id));
  const ways: [key: string, href: string][] = [];
  const older = olderFrom(window);
  const newer = newerFrom(window);
  if (older !== null) {
    ways.push(["first", `${page}?from=1`], ["older", `${page}?from=${older}`]);
  }
  if (newer !== null) ways.push(["newer", `${page}?from=${newer}`], ["last", page]);
  return (
    <nav class="log-ways" aria-label={ui.t(below ? "task_log.ways_below" : "task_log.ways")}>
      <span>{windowText(ui, window)}</span>
      {ways.map(([key, href], n) => (
        <ButtonLink key={n} href={href}>{ui.t(`task_log.${key}`)}</ButtonLink>
      ))}
      {ways.length > 0 && !below && (
        <form action={page}>
          <label>
            {ui.t("task_log.from_line")}{" "}
            <input type="number" name="from" min={1} max={window.lines} required />
          </label>
          <Button>{ui.t("task_log.go")}</Button>
        </form>
      )}
      <a href={ui.href(`/api${paths.taskPage(task.project_id, task.id)}/raw_output`)}>
        {ui.t("task_log.raw")}
      </a>
    </nav>
  );
}

function windowText(ui: Ui, { from, to, lines, follows }: LogWindow): string {
  const number = (value: number) => new Intl.NumberFormat(ui.language).format(value);
  const numbers = { from: number(from), to: number(to), lines: number(lines) };
  if (follows) return ui.t("task_log.window_open", numbers);
  return lines === 0 ? ui.t("task_log.none") : ui.t("task_log.window", numbers);
}
