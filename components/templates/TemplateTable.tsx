import { runLabel, TypeIcon } from "./TypeIcon.tsx";
import { TaskVersion } from "@/components/tasks/TaskTable.tsx";
import { ButtonLink } from "@/components/ui/Button.tsx";
import { StatusChip } from "@/components/ui/StatusChip.tsx";
import { type Column, Dash, Name, Table } from "@/components/ui/Table.tsx";
import { paths } from "@/lib/http/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";
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
  /** Address of this page: logs open over it. */
  page: string;
  mayRun: boolean;
  empty: ComponentChildren;
}

/** A project's templates, each with its last task and the button that runs it. */
export function TemplateTable(props: TemplateTableProps) {
  const { ui, templates, empty } = props;
  return (
    <Table
      caption={ui.t("templates.title")}
      rows={templates}
      rowId={({ id }) => `template-${id}`}
      empty={empty}
      columns={columnsOf(props)}
    />
  );
}

function columnsOf({ ui, names, page, mayRun }: TemplateTableProps): Column<TemplateView>[] {
  const named = (map: Map<number, string>, id: number | null) => <Name text={map.get(id ?? 0)} />;
  return [
    {
      label: ui.t("templates.name"),
      kind: "main",
      cell: ({ project_id, id, name, type }) => (
        <span class="inline-flex items-center gap-2">
          <TypeIcon ui={ui} type={type} />
          <a class="clamp" href={ui.href(paths.template(project_id, id))}>{name}</a>
        </span>
      ),
    },
    {
      label: ui.t("tasks.version"),
      cell: ({ last_task }) => last_task ? <TaskVersion ui={ui} task={last_task} /> : <Dash />,
    },
    {
      label: ui.t("tasks.status_label"),
      class: "whitespace-nowrap",
      cell: ({ last_task }) => <StatusChip ui={ui} status={last_task?.status ?? null} />,
    },
    {
      label: ui.t("templates.last_task"),
      cell: ({ last_task }) =>
        last_task
          ? (
            <>
              <a href={`${ui.href(page)}?t=${last_task.id}`}>{`#${last_task.id}`}</a>
              {last_task.user_name && (
                <div class="clamp text-muted text-sm">
                  {ui.t("tasks.by", { name: last_task.user_name })}
                </div>
              )}
            </>
          )
          : <Dash />,
    },
    {
      label: ui.t("templates.playbook"),
      cell: ({ playbook }) => <code class="clamp">{playbook}</code>,
    },
    {
      label: ui.t("templates.inventory"),
      cell: ({ inventory_id }) => named(names.inventory, inventory_id),
    },
    {
      label: ui.t("templates.environment"),
      cell: ({ environment_id }) => named(names.environment, environment_id),
    },
    {
      label: ui.t("templates.repository"),
      cell: ({ repository_id }) => named(names.repository, repository_id),
    },
    {
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
  ];
}
