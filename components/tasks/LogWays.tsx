import { Button, ButtonLink } from "@/components/ui/Button.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { newerFrom, olderFrom } from "@/lib/tasks/log_window.ts";
import type { TaskPage } from "@/lib/tasks/page.ts";

interface LogWaysProps {
  ui: Ui;
  page: TaskPage;
  /** Whether it stands below the lines, again. */
  below?: boolean;
}

/** Which lines a page without script shows, and the ways to the others. */
export function LogWays({ ui, page, below = false }: LogWaysProps) {
  const { task, window, wanted } = page;
  const address = ui.href(paths.taskPage(task.project_id, task.id));
  const ways = wanted === "" ? waysFrom(page, address) : [["all", address]];
  return (
    <nav class="log-ways" aria-label={ui.t(below ? "task_log.ways_below" : "task_log.ways")}>
      <span>{shownText(ui, page)}</span>
      {ways.map(([key, href], n) => (
        <ButtonLink key={n} href={href}>{ui.t(`task_log.${key}`)}</ButtonLink>
      ))}
      {!below && window.lines > 0 && (
        <>
          <form action={address} role="search">
            <input
              type="search"
              name="q"
              value={wanted}
              aria-label={ui.t("task_log.search_page")}
              placeholder={ui.t("task_log.search_page")}
              maxLength={200}
              required
            />
            <Button>{ui.t("task_log.find")}</Button>
          </form>
          <form action={address}>
            <label>
              {ui.t("task_log.line")}{" "}
              <input type="number" name="line" min={1} max={window.lines} required />
            </label>
            <Button>{ui.t("task_log.go")}</Button>
          </form>
        </>
      )}
      <a href={ui.href(`/api${paths.taskPage(task.project_id, task.id)}/raw_output`)}>
        {ui.t("task_log.raw")}
      </a>
    </nav>
  );
}

function waysFrom({ window }: TaskPage, address: string): [key: string, href: string][] {
  const ways: [key: string, href: string][] = [];
  const older = olderFrom(window);
  const newer = newerFrom(window);
  if (older !== null) {
    ways.push(["first", `${address}?from=1`], ["older", `${address}?from=${older}`]);
  }
  if (newer !== null) ways.push(["newer", `${address}?from=${newer}`], ["last", address]);
  return ways;
}

function shownText(ui: Ui, { wanted, window: { from, to, lines, follows } }: TaskPage): string {
  if (wanted !== "") return ui.t("task_log.matches", { text: wanted });
  if (follows) return ui.t("task_log.window_open", { from, lines });
  return lines === 0 ? ui.t("task_log.none") : ui.t("task_log.window", { from, to, lines });
}
