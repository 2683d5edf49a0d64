import { ColumnSettings } from "./ColumnSettings.tsx";
import { TemplateTable } from "./TemplateTable.tsx";
import type { TemplateNames } from "./template_columns.tsx";
import { ButtonLink, IconLink } from "@/components/ui/Button.tsx";
import { EmptyState } from "@/components/ui/EmptyState.tsx";
import { PageHeader, Title } from "@/components/ui/Page.tsx";
import { Tabs } from "@/components/ui/Tabs.tsx";
import { paths } from "@/lib/base/paths.ts";
import { may, type Shell } from "@/lib/web/pages/shell.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import { listAddress, type ListState, type OptionalColumn } from "@/lib/templates/list.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";

interface TemplatesPageProps {
  ui: Ui;
  shell: Shell;
  templates: TemplateView[];
  views: { id: number; title: string }[];
  /** The view that is shown; null for all templates. */
  viewId: number | null;
  names: TemplateNames;
  state: ListState;
  columns: OptionalColumn[];
  /** The newest tasks of the template whose row is open. */
  lastTasks: TaskView[];
}

/** A project's templates, with a tab for each view. */
export function TemplatesPage(
  { ui, shell, views, viewId, state, columns, ...list }: TemplatesPageProps,
) {
  const { project } = shell;
  const page = paths.templates(project.id, viewId);
  const mayManage = may(shell, "manage_resources");
  const create = (
    <ButtonLink
      kind="primary"
      icon="plus"
      href={ui.href(paths.editTemplate(project.id, "new"))}
      over
    >
      {ui.t("templates.new")}
    </ButtonLink>
  );
  return (
    <>
      <Title ui={ui} parts={[ui.t("templates.title"), project.name]} />
      <PageHeader
        title={ui.t("templates.title")}
        actions={
          <>
            <ColumnSettings ui={ui} columns={columns} here={listAddress(page, state)} />
            {mayManage && create}
          </>
        }
      />
      {(views.length > 0 || mayManage) && (
        <Tabs
          label={ui.t("templates.views")}
          tabs={[
            { id: null, title: ui.t("templates.all") },
            ...views,
          ].map(({ id, title }) => ({
            label: title,
            href: ui.href(listAddress(paths.templates(project.id, id), { ...state, open: null })),
            current: id === viewId,
          }))}
          end={mayManage && (
            <IconLink
              icon="edit"
              label={ui.t("views.edit")}
              href={ui.href(paths.views(project.id))}
              over
            />
          )}
        />
      )}
      <TemplateTable
        ui={ui}
        {...list}
        page={page}
        viewId={viewId}
        state={state}
        columns={columns}
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
