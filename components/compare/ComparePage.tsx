import { Facts, RunHeading } from "./Facts.tsx";
import { RunPicker } from "./RunPicker.tsx";
import { RunResults } from "./RunResults.tsx";
import { EmptyState } from "../ui/lists/EmptyState.tsx";
import { Breadcrumb, PageHeader, Title } from "../ui/Page.tsx";
import { paths } from "../../lib/base/paths.ts";
import type { compareRuns } from "../../lib/compare/service.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { TemplateView } from "../../lib/templates/schema.ts";
import { ButtonLink } from "../ui/Button.tsx";
import { Time } from "../ui/Time.tsx";
import type { CommitsPart, Pair, TemplateChange } from "../../lib/compare/schema.ts";
import { visible } from "../../lib/i18n/visible.ts";
import { Sentence } from "../ui/Sentence.tsx";

interface ComparePageProps {
  ui: Ui;
  /** The project's name. */
  project: string;
  template: Pick<TemplateView, "id" | "project_id" | "name">;
  compared: Awaited<ReturnType<typeof compareRuns>>;
}

/** Two tasks of a template side by side, with a section for each kind of difference. */
export function ComparePage({ ui, project, template, compared }: ComparePageProps) {
  const { choices, run, comparison } = compared;
  const { id, project_id: projectId, name } = template;
  const page = ui.href(paths.compare(projectId, id));
  const crumbs = [
    { label: ui.t("templates.title"), href: ui.href(paths.templates(projectId, null)) },
    { label: name, href: ui.href(paths.template(projectId, id)) },
  ];
  return (
    <>
      <Title ui={ui} parts={[ui.t("compare.title"), name, project]} />
      <PageHeader title={ui.t("compare.title")} above={<Breadcrumb ui={ui} crumbs={crumbs} />} />
      {run && (
        <RunPicker
          {...{ ui, page, choices, run }}
          label={ui.t("compare.run")}
          base={comparison?.base ?? null}
          statusText={({ status }) => ui.t(`tasks.status.${status}`)}
        />
      )}
      {comparison
        ? (
          <>
            <Facts
              ui={ui}
              facts={comparison.facts}
              headings={
                <>
                  <RunHeading ui={ui} task={comparison.run} />
                  <RunHeading ui={ui} task={comparison.base} />
                </>
              }
              nothing={ui.t("compare.nothing_differs")}
              both={ui.t("compare.both")}
            />
            {comparison.commits && <CommitsBetween ui={ui} page={page} {...comparison} />}
            {comparison.changes.length > 0 && <TemplateChanges ui={ui} {...comparison} />}
            <RunResults ui={ui} page={page} {...comparison} />
          </>
        )
        : (
          <EmptyState
            icon="info"
            title={ui.t(run ? "compare.no_base" : "compare.no_runs")}
          />
        )}
    </>
  );
}

interface CommitsBetweenProps extends Pair {
  ui: Ui;
  /** Complete path of the page. */
  page: string;
  commits: CommitsPart | null;
}

/** The commits between the two tasks. */
function CommitsBetween({ ui, page, run, base, commits }: CommitsBetweenProps) {
  if (!commits) return null;
  const { commits: listed, isMore, isBack, reason, mayFetch } = commits;
  const fetch = `${page}?${new URLSearchParams({ a: `${run.id}`, b: `${base.id}`, fetch: "1" })}`;
  return (
    <section id="compare-commits" aria-labelledby="compare-commits-title">
      <h2 id="compare-commits-title">
        {ui.t(isBack ? "compare.commits_back" : "compare.commits")}
      </h2>
      {reason && <p class="text-muted">{ui.t(reason.key, reason.params)}</p>}
      {mayFetch && <ButtonLink href={fetch} stays>{ui.t("compare.fetch")}</ButtonLink>}
      <ul class="compare-list">
        {listed.map(({ hash, author, time, subject }) => (
          <li>
            <code>{hash.slice(0, 10)}</code> <span>{visible(subject)}</span>{" "}
            <span class="text-muted">
              {visible(author)} <Time ui={ui} at={time} />
            </span>
          </li>
        ))}
      </ul>
      {isMore && <p class="text-muted">{ui.t("compare.more_commits")}</p>}
    </section>
  );
}

/**
 * Changes to the template between the two tasks, by user and time. Their effects are among the
 * facts that differ.
 */
const TemplateChanges = ({ ui, changes }: { ui: Ui; changes: TemplateChange[] }) => (
  <section id="compare-changes" aria-labelledby="compare-changes-title">
    <h2 id="compare-changes-title">{ui.t("compare.changes")}</h2>
    <ul class="compare-list">
      {changes.map(({ time, by }) => (
        <li>
          <Sentence
            ui={ui}
            of="compare.changed"
            params={{ name: by ?? ui.t("compare.somebody") }}
            parts={{ time: <Time ui={ui} at={time} /> }}
          />
        </li>
      ))}
    </ul>
  </section>
);
