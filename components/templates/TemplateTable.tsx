import { Disclosure, LastTasks } from "./LastTasks.tsx";
import { type Column, Table } from "@/components/ui/lists/Table.tsx";
import type { TaskView } from "@/lib/tasks/schema.ts";
import {
  listAddress,
  type ListState,
  type OptionalColumn,
  type SortColumn,
} from "@/lib/templates/list.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";
import type { ComponentChildren } from "preact";
import { LastStatus, LastTask, LastVersion } from "./LastRun.tsx";
import { Star } from "./Favourites.tsx";
import { EndReason } from "@/components/tasks/EndReason.tsx";
import { runLabel, TypeIcon, typeLabel } from "@/components/tasks/TypeIcon.tsx";
import { Code, Name, NameLink } from "@/components/ui/lists/cells.tsx";
import { actionsColumn, nameColumn, stateColumn } from "@/components/ui/lists/columns.tsx";
import { ButtonLink } from "@/components/ui/Button.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TemplateNames } from "@/lib/templates/arrange.ts";

interface TemplateTableProps extends TemplateColumnsProps {
  templates: TemplateView[];
  /** The latest tasks of the template whose row is open. */
  lastTasks: TaskView[];
  empty: ComponentChildren;
}

/** A project's templates, each with its latest task and a button to run it. */
export function TemplateTable(props: TemplateTableProps) {
  const { ui, templates, page, state, lastTasks, mayRun, empty } = props;
  return (
    <Table
      caption={ui.t("templates.title")}
      rows={templates}
      rowId={({ id }) => `template-${id}`}
      empty={empty}
      columns={columnsOf(props)}
      below={({ id }) =>
        id === state.open && (
          <LastTasks
            {...{ ui, mayRun }}
            templateId={id}
            tasks={lastTasks}
            page={listAddress(page, state)}
          />
        )}
    />
  );
}

/** The name, the chosen columns, and the buttons. The last task has two. */
function columnsOf(props: TemplateTableProps): Column<TemplateView>[] {
  const all = allColumns(props);
  const sorted = (id: SortColumn, first?: ListState["order"]) => ({
    ...all[id],
    sort: sortBy(props, id, first),
  });
  const shown = props.columns.flatMap((id) =>
    id === "last_task" ? [sorted("status"), sorted("last_task", "desc")] : sorted(id)
  );
  return [sorted("name"), ...shown, all.actions];
}

/** Link that sorts the list by a column, or reverses the order if it is already sorted by it. */
function sortBy(
  { ui, page, state }: TemplateTableProps,
  sort: SortColumn,
  first: ListState["order"] = "asc",
) {
  const isSorted = state.sort === sort;
  const order = isSorted ? (state.order === "asc" ? "desc" : "asc") : first;
  return {
    href: ui.href(listAddress(page, { ...state, sort, order, page: null })),
    order: isSorted ? ORDERS[state.order] : undefined,
  };
}

const ORDERS = { asc: "ascending", desc: "descending" } as const;

interface TemplateColumnsProps {
  ui: Ui;
  /** Visible columns besides the name and the buttons. */
  columns: OptionalColumn[];
  names: TemplateNames;
  favourites: ReadonlySet<number>;
  viewId: number | null;
  /** Address of this list, without its state. */
  page: string;
  state: ListState;
  mayRun: boolean;
}

function allColumns(
  props: TemplateColumnsProps,
): Record<SortColumn | "actions", Column<TemplateView>> {
  const { ui, columns, names, page, state, mayRun } = props;
  const here = listAddress(page, state);
  const named = (map: Map<number, string>, id: number | null) => <Name text={map.get(id ?? 0)} />;
  return {
    name: nameColumn(
      ui,
      "templates.name",
      (template) => (
        <>
          <TemplateName {...props} template={template} />
          <LastReason {...props} template={template} />
        </>
      ),
    ),
    type: { label: ui.t("templates.type_label"), cell: ({ type }) => typeLabel(ui, type) },
    status: stateColumn(
      ui,
      "tasks.status_label",
      ({ id, last_task }) => <LastStatus ui={ui} templateId={id} task={last_task} />,
    ),
    last_task: {
      label: ui.t("templates.last_task"),
      kind: "text",
      cell: ({ id, last_task }) => {
        const last = { ui, templateId: id, task: last_task };
        if (columns.includes("version")) return <LastTask {...last} page={here} />;
        return (
          <>
            <LastTask {...last} page={here} />{" "}
            <span class="last-version text-muted">
              <LastVersion {...last} />
            </span>
          </>
        );
      },
    },
    version: {
      label: ui.t("tasks.version"),
      kind: "text",
      cell: ({ id, last_task }) => <LastVersion ui={ui} templateId={id} task={last_task} />,
    },
    playbook: {
      label: ui.t("templates.playbook"),
      kind: "text",
      cell: ({ playbook }) => <Code text={playbook} />,
    },
    inventory: {
      label: ui.t("templates.inventory"),
      kind: "text",
      cell: ({ inventory_id }) => named(names.inventory, inventory_id),
    },
    environment: {
      label: ui.t("templates.environment"),
      kind: "text",
      cell: ({ environment_id }) => named(names.environment, environment_id),
    },
    repository: {
      label: ui.t("templates.repository"),
      kind: "text",
      cell: ({ repository_id }) => named(names.repository, repository_id),
    },
    actions: actionsColumn(
      ui,
      (template) => mayRun && <RunLink {...props} template={template} />,
    ),
  };
}

type CellProps = TemplateColumnsProps & { template: TemplateView };

function TemplateName({ ui, page, state, viewId, favourites, mayRun, template }: CellProps) {
  const { id, project_id, name, type } = template;
  return (
    <span class={mayRun ? "template-line is-runnable" : "template-line"}>
      <Disclosure ui={ui} page={page} state={state} template={template} />
      <Star ui={ui} template={template} isFavourite={favourites.has(id)} />
      <TypeIcon ui={ui} type={type} />
      <NameLink text={name} href={ui.href(paths.template(project_id, id, viewId))} />
    </span>
  );
}

/** The reason of the status of a template's latest task, if the list has its column. */
function LastReason({ ui, columns, page, state, template: { last_task: task } }: CellProps) {
  if (!task || !columns.includes("last_task")) return null;
  const output = ui.href(paths.over(listAddress(page, state), task.id));
  return <EndReason ui={ui} task={task} output={output} brief />;
}

const RunLink = ({ ui, template: { project_id, id, type, name } }: CellProps) => (
  <ButtonLink icon="play" kind="quiet" href={ui.href(paths.startTask(project_id, id))} over>
    {runLabel(ui, type)} <span class="sr-only">{name}</span>
  </ButtonLink>
);
