import { FavouritesForm } from "./Favourites.tsx";
import { ColumnSettings, TemplateFilter } from "./TemplateFilter.tsx";
import { TemplateTable } from "./TemplateTable.tsx";
import { ButtonLink, IconLink } from "@/components/ui/Button.tsx";
import { EmptyState } from "@/components/ui/lists/EmptyState.tsx";
import { ListPages } from "@/components/ui/lists/ListPages.tsx";
import { PageHeader, Title } from "@/components/ui/Page.tsx";
import { Tabs } from "@/components/ui/Tabs.tsx";
import type { ListPage } from "@/lib/base/lists/pages.ts";
import { paths } from "@/lib/base/paths.ts";
import { may, type Shell } from "@/lib/web/shell.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import type { TemplateNames } from "@/lib/templates/arrange.ts";
import {
  inTab,
  listAddress,
  type ListState,
  type OptionalColumn,
  usualOrder,
} from "@/lib/templates/list.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";
import type { ViewView } from "@/lib/templates/views/schema.ts";

interface TemplatesPageProps {
  ui: Ui;
  shell: Shell;
  /** The visible templates, in their order. */
  shown: ListPage<TemplateView>;
  /** Number of templates in the project, in the view, and of those that the filter finds. */
  counts: { project: number; view: number; found: number };
  views: ViewView[];
  /** The view of the list. If the address names none, it is one that shows all templates. */
  view?: ViewView;
  /** The view that the address names; null for all templates. */
  viewId: number | null;
  names: TemplateNames;
  favourites: ReadonlySet<number>;
  state: ListState;
  columns: OptionalColumn[];
  /** The latest tasks of the template whose row is open. */
  lastTasks: TaskView[];
  /** Address of the event stream with changed tasks. */
  live: string;
}

/** A project's templates, with a tab for each view. */
export function TemplatesPage(props: TemplatesPageProps) {
  const { ui, shell, views, view: _, viewId, state, columns, counts, live, shown, ...list } = props;
  const { project } = shell;
  const page = paths.templates(project.id, viewId);
  const here = listAddress(page, state);
  const mayManage = may(shell, "manage_resources");
  return (
    <>
      <Title ui={ui} parts={[ui.t("templates.title"), project.name]} />
      <PageHeader
        title={ui.t("templates.title")}
        actions={
          <>
            <ColumnSettings ui={ui} columns={columns} here={here} />
            {mayManage && <NewTemplate ui={ui} shell={shell} />}
          </>
        }
      />
      {(views.length > 0 || mayManage) && <ViewTabs {...props} />}
      {counts.view > 0 && (
        <TemplateFilter
          {...{ ui, page, state, columns, shown: counts.found, total: counts.view }}
        />
      )}
      <FavouritesForm ui={ui} projectId={project.id} here={here} />
      <div id="templates" data-live={live}>
        <TemplateTable
          {...{ ui, page, viewId, state, columns, ...list }}
          templates={shown.rows}
          mayRun={may(shell, "run_tasks")}
          empty={<NoTemplates {...props} />}
        />
        <ListPages
          {...{ ui, shown }}
          count={counts.found}
          all={state.all}
          at={(asked) => ui.href(listAddress(page, { ...state, ...asked }))}
        />
      </div>
    </>
  );
}

const NewTemplate = ({ ui, shell }: Pick<TemplatesPageProps, "ui" | "shell">) => (
  <ButtonLink
    kind="primary"
    icon="plus"
    href={ui.href(paths.editTemplate(shell.project.id, "new"))}
    over
  >
    {ui.t("templates.new")}
  </ButtonLink>
);

/** Tabs of the views. One with all templates replaces the usual first tab. */
function ViewTabs({ ui, shell, views, view: current, state }: TemplatesPageProps) {
  const { id: projectId } = shell.project;
  const hasAll = views.some(({ type }) => type === "all");
  const shown = views.filter(({ hidden }) => !hidden);
  const tab = (label: string, view?: ViewView) => ({
    label,
    href: ui.href(
      listAddress(paths.templates(projectId, view?.id ?? null), inTab(state, usualOrder(view))),
    ),
    current: view?.id === current?.id,
  });
  return (
    <Tabs
      label={ui.t("templates.views")}
      tabs={[
        ...hasAll ? [] : [tab(ui.t("templates.all"))],
        ...shown.map((view) => tab(view.title, view)),
      ]}
      end={may(shell, "manage_resources") && (
        <IconLink
          icon="edit"
          label={ui.t("views.edit")}
          href={ui.href(paths.views(projectId))}
          over
        />
      )}
    />
  );
}

/** Explains an empty list: the filter, the view, or no template at all. */
function NoTemplates({ ui, shell, counts, viewId, state, views }: TemplatesPageProps) {
  const { id: projectId } = shell.project;
  const link = (path: string, key: string) => (
    <ButtonLink href={ui.href(path)}>{ui.t(key)}</ButtonLink>
  );
  if (counts.view > 0) {
    const all = listAddress(paths.templates(projectId, viewId), { ...state, q: "", page: null });
    return (
      <EmptyState icon="filter" title={ui.t("templates.none_match", { q: state.q })}>
        <p>{ui.t("templates.filter_hint")}</p>
        {link(all, "templates.show_all")}
      </EmptyState>
    );
  }
  if (counts.project > 0) {
    const title = views.find(({ id }) => id === viewId)?.title ?? "";
    return (
      <EmptyState icon="templates" title={ui.t("templates.none_in_view", { title })}>
        <p>{ui.t("templates.none_in_view_hint")}</p>
        {link(paths.templates(projectId, null), "templates.show_all")}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="templates" title={ui.t("templates.empty")}>
      <p>{ui.t("templates.empty_hint")}</p>
      {may(shell, "manage_resources") && <NewTemplate ui={ui} shell={shell} />}
    </EmptyState>
  );
}
