import { Disclosure, LastTasks } from "./LastTasks.tsx";
import { runLabel, TypeIcon, typeLabel } from "./TypeIcon.tsx";
import { LogLink, TaskVersion } from "@/components/tasks/TaskTable.tsx";
import { ButtonLink } from "@/components/ui/Button.tsx";
import { StatusChip } from "@/components/ui/StatusChip.tsx";
import { Dash, Name } from "@/components/ui/cells.tsx";
import { type Column, Table } from "@/components/ui/Table.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import {
  listAddress,
  type ListState,
  type OptionalColumn,
  type SortColumn,
} from "@/lib/templates/list.ts";
import { TEMPLATE_COLUMNS, type TemplateView } from "@/lib/templates/schema.ts";
import type { ComponentChildren } from "preact";

/** Names of what templates refer to, by id. */
export interface TemplateNames {
  inventory: Map<number, string>;
  environment: Map<number, string>;
  repository: Map<number, string>;
}

interface TemplateTableProps {
  ui: Ui;
  templates: TemplateView[];
  names: TemplateNames;
  viewId: number | null;
  /** The address of this list, without its state. */
  page: string;
  state: ListState;
  /** The columns that are shown besides the name and the buttons. */
  columns: OptionalColumn[];
  /** The newest tasks of the template whose row is open. */
  lastTasks: TaskView[];
  mayRun: boolean;
  empty: ComponentChildren;
}

/** A project's templates, each with its last task and the button that runs it. */
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
          <LastTasks ui={ui} tasks={lastTasks} page={listAddress(page, state)} mayRun={mayRun} />
        )}
    />
  );
}

/** The name, the columns that were chosen, and the buttons; sorted where the API sorts. */
function columnsOf(props: TemplateTableProps): Column<TemplateView>[] {
  const all = allColumns(props);
  return (["name", ...props.columns, "actions"] as const).map((id) => ({
    ...all[id],
    sort: isSortColumn(id) ? sortBy(props, id) : undefined,
  }));
}

const isSortColumn = (id: string): id is SortColumn =>
  (TEMPLATE_COLUMNS as readonly string[]).includes(id);

/** Leads to the list sorted by a column; when it is already, the other way around. */
function sortBy({ ui, page, state }: TemplateTableProps, sort: SortColumn): Column<never>["sort"] {
  const isSorted = state.sort === sort;
  const order = isSorted && state.order === "asc" ? "desc" : "asc";
  return {
    href: ui.href(listAddress(page, { ...state, sort, order })),
    order: isSorted ? (state.order === "asc" ? "ascending" : "descending") : undefined,
  };
}

function allColumns(
  { ui, names, page, viewId, state, mayRun }: TemplateTableProps,
): Record<OptionalColumn | "name" | "actions", Column<TemplateView>> {
  const named = (map: Map<number, string>, id: number | null) => <Name text={map.get(id ?? 0)} />;
  return {
    name: {
      label: ui.t("templates.name"),
      kind: "main",
      class: "template-name",
      cell: (template) => (
        <span class="inline-flex items-center gap-1.5">
          <Disclosure ui={ui} page={page} state={state} template={template} />
          <TypeIcon ui={ui} type={template.type} />
          <a
            class="clamp"
            href={ui.href(paths.template(template.project_id, template.id, viewId))}
          >
            {template.name}
          </a>
        </span>
      ),
    },
    type: { label: ui.t("templates.type_label"), cell: ({ type }) => typeLabel(ui, type) },
    version: {
      label: ui.t("tasks.version"),
      cell: ({ last_task }) => last_task ? <TaskVersion ui={ui} task={last_task} /> : <Dash />,
    },
    status: {
      label: ui.t("tasks.status_label"),
      class: "whitespace-nowrap",
      cell: ({ last_task }) => <StatusChip ui={ui} status={last_task?.status ?? null} />,
    },
    last_task: {
      label: ui.t("templates.last_task"),
      cell: ({ last_task }) =>
        last_task
          ? (
            <>
              <LogLink ui={ui} page={listAddress(page, state)} id={last_task.id} />
              {last_task.user_name && (
                <div class="clamp text-muted text-sm">
                  {ui.t("tasks.by", { name: last_task.user_name })}
                </div>
              )}
            </>
          )
          : <Dash />,
    },
    playbook: {
      label: ui.t("templates.playbook"),
      cell: ({ playbook }) => <code class="clamp">{playbook}</code>,
    },
    inventory: {
      label: ui.t("templates.inventory"),
      cell: ({ inventory_id }) => named(names.inventory, inventory_id),
    },
    environment: {
      label: ui.t("templates.environment"),
      cell: ({ environment_id }) => named(names.environment, environment_id),
    },
    repository: {
      label: ui.t("templates.repository"),
      cell: ({ repository_id }) => named(names.repository, repository_id),
    },
    actions: {
      label: ui.t("tasks.actions"),
      kind: "actions",
      cell: ({ project_id, id, type, name }) =>
        mayRun && (
          <ButtonLink
            icon="play"
            kind="quiet"
            href={ui.href(paths.startTask(project_id, id))}
          >
            {runLabel(ui, type)} <span class="sr-only">{name}</span>
          </ButtonLink>
        ),
    },
  };
}
