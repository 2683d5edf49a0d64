import { LogQueryFields } from "./LogQueryFields.tsx";
import { Button, ButtonLink } from "@/components/ui/Button.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { lastFrom, newerFrom, olderFrom } from "@/lib/output/window.ts";
import { queryParams } from "@/lib/output/query.ts";
import type { PageSearch, TaskPage } from "@/lib/web/pages/task_page.ts";

interface LogWaysProps {
  ui: Ui;
  page: TaskPage;
  /** The lines that were shown; set if the links are repeated below the lines. */
  shown?: { to: number; found: number };
}

/** The range of lines on a page without script, and links to other ranges. */
export function LogWays({ ui, page, shown }: LogWaysProps) {
  const below = shown !== undefined;
  const raw = ui.href(`/api${paths.taskPage(page.task.project_id, page.task.id)}/raw_output`);
  const { task, window, search } = page;
  const address = ui.href(paths.taskPage(task.project_id, task.id));
  const ways = search
    ? searchWays(search, shown?.to, window.lines, address)
    : waysFrom(page, address);
  return (
    <nav class="log-ways" aria-label={ui.t(below ? "task_log.ways_below" : "task_log.ways")}>
      <span>{search ? searchText(ui, search, shown) : shownText(ui, page)}</span>
      {ways.map(([key, href], n) => (
        <ButtonLink key={n} href={href}>{ui.t(`task_log.${key}`)}</ButtonLink>
      ))}
      {!below && window.lines > 0 && (
        <>
          <form action={address} role="search">
            <LogQueryFields
              ui={ui}
              query={search?.query ?? null}
              label={ui.t("task_log.search_page")}
            />
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
      {page.outline.first_failure !== null && (
        <a href={`${address}?line=${page.outline.first_failure}#L${page.outline.first_failure}`}>
          {ui.t("task_log.failure_way")}
        </a>
      )}
      {!below && <span>{ui.labelled(ui.t("account.timezone"), ui.timeZone)}</span>}
      <a href={`${raw}?plain=true`}>{ui.t("task_log.raw")}</a>
      <a href={`${raw}?plain=true&times=true`}>{ui.t("task_log.raw_times")}</a>
    </nav>
  );
}

function waysFrom({ window, task }: TaskPage, address: string): [key: string, href: string][] {
  const ways: [key: string, href: string][] = [];
  const older = olderFrom(window);
  const newer = newerFrom(window);
  if (older !== null) {
    ways.push(["first", `${address}?from=1`], ["older", `${address}?from=${older}`]);
  }
  // The page of a failed task opens at its failure.
  const last = task.failure_line === null ? address : `${address}?from=${lastFrom(window.lines)}`;
  if (newer !== null) ways.push(["newer", `${address}?from=${newer}`], ["last", last]);
  return ways;
}

/** Links that leave a search, and that continue it after line `to` unless that was the last one. */
function searchWays(
  { query, problem }: PageSearch,
  to: number | undefined,
  lines: number,
  address: string,
): [key: string, href: string][] {
  const all: [string, string] = ["all", address];
  if (to === undefined || to >= lines || problem) return [all];
  const further = new URLSearchParams({ ...queryParams(query), after: String(to) });
  return [["search_on", `${address}?${further}`], all];
}

function searchText(ui: Ui, { query, after, problem }: PageSearch, shown: LogWaysProps["shown"]) {
  if (problem) return ui.tell(problem);
  if (!shown) return ui.t("task_log.matches", { text: query.text });
  const found = { key: "task_log.found", params: { count: shown.found } };
  return ui.t("task_log.found_between", { found, from: after + 1, to: shown.to });
}

function shownText(ui: Ui, { window: { from, to, lines, follows } }: TaskPage): string {
  if (follows) return ui.t("task_log.window_open", { from, lines });
  return lines === 0 ? ui.t("task_log.none") : ui.t("task_log.window", { from, to, lines });
}
