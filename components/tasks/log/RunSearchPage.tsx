import { renderToString } from "preact-render-to-string";
import { LINES_PLACEHOLDER, WAYS_PLACEHOLDER } from "./LogPage.tsx";
import { LogQueryFields } from "./LogQueryFields.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { ButtonLink } from "@/components/ui/Button.tsx";
import { Breadcrumb, PageHeader, Title } from "@/components/ui/Page.tsx";
import { StatusChip } from "@/components/ui/StatusChip.tsx";
import { Time } from "@/components/ui/Time.tsx";
import type { Sentence } from "@/lib/base/errors.ts";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { SearchedRun } from "@/lib/search/task_outputs.ts";
import { excerptOf, highlightedSpans } from "@/lib/output/highlights.ts";
import { isAsked, type LogQuery, queryParams } from "@/lib/output/query.ts";

interface RunSearchPageProps {
  ui: Ui;
  project: { id: number; name: string };
  template: { id: number; name: string };
  query: LogQuery;
  /** Only tasks since this day of the reader's time zone: "2026-03-01". */
  day: string | undefined;
  /** The reason why the query is invalid. */
  problem: Sentence | null;
}

/** Search in the logs of a template's tasks. The results are inserted while the page is sent. */
export function RunSearchPage({ ui, project, template, query, day, problem }: RunSearchPageProps) {
  const title = ui.t("run_search.title");
  const here = ui.href(paths.searchRuns(project.id, template.id));
  const crumbs = [
    { label: ui.t("templates.title"), href: ui.href(paths.section(project.id, "templates")) },
    { label: template.name, href: ui.href(paths.template(project.id, template.id)) },
  ];
  return (
    <>
      <Title ui={ui} parts={[query.text, title, template.name, project.name]} />
      <PageHeader title={title} above={<Breadcrumb ui={ui} crumbs={crumbs} />} />
      <p class="text-muted">{ui.t("run_search.about")}</p>
      <form action={here} role="search" class="run-search">
        <LogQueryFields
          ui={ui}
          query={query}
          label={ui.t("run_search.label", { name: template.name })}
        >
          <label class="log-choice whitespace-nowrap">
            {ui.t("history.filter.from")}
            <input type="date" name="from" value={day ?? ""} />
          </label>
        </LogQueryFields>
      </form>
      {problem && <Alert kind="danger">{ui.tell(problem)}</Alert>}
      {isAsked(query) && !problem && (
        <ol class="found-runs" aria-label={ui.t("run_search.results")}>{LINES_PLACEHOLDER}</ol>
      )}
      {WAYS_PLACEHOLDER}
    </>
  );
}

/**
 * Returns a matching task with its first matching line, below the number of tasks before it that
 * did not match.
 */
export function foundRunHtml(ui: Ui, { task, found, line }: SearchedRun, without: number): string {
  const log = ui.href(paths.task(task.project_id, task.template_id, task.id, line!.id));
  return withoutHtml(ui, without) + renderToString(
    <li id={`run-${task.id}`}>
      <div class="found-run">
        <a href={log}>#{task.id}</a>
        <StatusChip ui={ui} status={task.status} />
        <Time ui={ui} at={task.created} />
        <span class="text-muted">
          {ui.t("run_search.lines", { count: found })}
        </span>
      </div>
      <code class="found-line">
        {excerptOf(highlightedSpans(line!.output, line!.marks)).map(
          ({ text, isHighlighted }, n) => {
            const Part = isHighlighted ? "mark" : "span";
            return <Part key={n}>{text}</Part>;
          },
        )}
      </code>
    </li>,
  );
}

/** Returns the number of tasks that did not match; empty for 0. */
export const withoutHtml = (ui: Ui, count: number): string =>
  count === 0 ? "" : renderToString(
    <li class="text-muted">
      {ui.t("run_search.without", { count })}
    </li>,
  );

interface RunsSummary {
  searched: number;
  found: number;
  /** The oldest matching task. */
  first: SearchedRun["task"] | null;
  /** Parameter of the link to older tasks; null if there are none. */
  before: number | null;
}

/**
 * Returns the text below the results: since when the text occurs, as far as known, and a link to
 * older tasks.
 */
export function runsSummaryHtml(
  ui: Ui,
  { project, template, query, day }: Omit<RunSearchPageProps, "ui" | "problem">,
  { searched, found, first, before }: RunsSummary,
): string {
  const further = new URLSearchParams({
    ...queryParams(query),
    ...(day && { from: day }),
    before: String(before),
  });
  return renderToString(
    <div class="runs-summary" role="status">
      <p>
        {ui.t(first ? "run_search.found" : "run_search.nothing", { found, searched })}{" "}
        {first && ui.t("run_search.since", { id: first.id, since: first.created })}{" "}
        {before === null &&
          (day ? ui.t("run_search.all_since", { day: ui.day(day) }) : ui.t("run_search.all"))}
      </p>
      {before !== null && (
        <ButtonLink href={`${ui.href(paths.searchRuns(project.id, template.id))}?${further}`}>
          {ui.t("run_search.older")}
        </ButtonLink>
      )}
    </div>,
  );
}
