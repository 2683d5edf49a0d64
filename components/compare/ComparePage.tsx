import { CommitsBetween } from "./CommitsBetween.tsx";
import { Facts } from "./Facts.tsx";
import { RunPicker } from "./RunPicker.tsx";
import { RunResults } from "./RunResults.tsx";
import { TemplateChanges } from "./TemplateChanges.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { Breadcrumb, PageHeader, Title } from "../ui/Page.tsx";
import { paths } from "../../lib/base/paths.ts";
import type { compareRuns } from "../../lib/compare/service.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { TemplateView } from "../../lib/templates/schema.ts";

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
      {run && <RunPicker {...{ ui, page, choices, run }} base={comparison?.base ?? null} />}
      {comparison
        ? (
          <>
            <Facts ui={ui} {...comparison} />
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
