import { type TemplateNames, TemplateTable } from "./TemplateTable.tsx";
import { ButtonLink } from "@/components/ui/Button.tsx";
import { EmptyState } from "@/components/ui/EmptyState.tsx";
import { PageHeader, Title } from "@/components/ui/Page.tsx";
import { Tabs } from "@/components/ui/Tabs.tsx";
import { paths } from "@/lib/http/paths.ts";
import { may, type Shell } from "@/lib/http/shell.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";

interface TemplatesPageProps {
  ui: Ui;
  shell: Shell;
  templates: TemplateView[];
  views: { id: number; title: string }[];
  /** The view that is shown; null for all templates. */
  viewId: number | null;
  names: TemplateNames;
}

/** A project's templates, with a tab for each view. */
export function TemplatesPage({ ui, shell, templates, views, viewId, names }: TemplatesPageProps) {
  const { project } = shell;
  const all = paths.section(project.id, "templates");
  const mayManage = may(shell, "manage_resources");
  const create = (
    <ButtonLink kind="primary" icon="plus" href={ui.href(paths.editTemplate(project.id, "new"))}>
      {ui.t("templates.new")}
    </ButtonLink>
  );
  return (
    <>
      <Title ui={ui} parts={[ui.t("templates.title"), project.name]} />
      <PageHeader title={ui.t("templates.title")} actions={mayManage && create} />
      {views.length > 0 && (
        <Tabs
          label={ui.t("templates.views")}
          tabs={[
            { label: ui.t("templates.all"), href: ui.href(all), current: viewId === null },
            ...views.map(({ id, title }) => ({
              label: title,
              href: ui.href(paths.viewTemplates(project.id, id)),
              current: id === viewId,
            })),
          ]}
        />
      )}
      <TemplateTable
        ui={ui}
        templates={templates}
        names={names}
        page={viewId === null ? all : paths.viewTemplates(project.id, viewId)}
        mayRun={may(shell, "run_tasks")}
        empty={
          <EmptyState icon="templates" title={ui.t("templates.empty")}>
            <p>{ui.t("templates.empty_hint")}</p>
            {mayManage && create}
          </EmptyState>
        }
      />
    </>
  );
}
