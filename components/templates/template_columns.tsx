import { Disclosure } from "./LastTasks.tsx";
import { runLabel, TypeIcon, typeLabel } from "./TypeIcon.tsx";
import { LogLink, TaskVersion } from "@/components/tasks/TaskTable.tsx";
import { ButtonLink } from "@/components/ui/Button.tsx";
import { StatusChip } from "@/components/ui/StatusChip.tsx";
import { Dash, Name } from "@/components/ui/cells.tsx";
import type { Column } from "@/components/ui/Table.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import { listAddress, type ListState, type OptionalColumn } from "@/lib/templates/list.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";

/** Names of what templates refer to, by id. */
export interface TemplateNames {
  inventory: Map<number, string>;
  environment: Map<number, string>;
  repository: Map<number, string>;
}

export interface TemplateColumnsProps {
  ui: Ui;
  names: TemplateNames;
  viewId: number | null;
  /** The address of this list, without its state. */
  page: string;
  state: ListState;
  mayRun: boolean;
}

/** All columns that the list of templates has. */
export function allColumns(
  props: TemplateColumnsProps,
): Record<OptionalColumn | "name" | "actions", Column<TemplateView>> {
  const { ui, names, page, state, mayRun } = props;
  const named = (map: Map<number, string>, id: number | null) => <Name text={map.get(id ?? 0)} />;
  return {
    name: {
      label: ui.t("templates.name"),
      kind: "main",
      class: "template-name",
      cell: (template) => <TemplateName {...props} template={template} />,
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
          ? <LastTask ui={ui} page={listAddress(page, state)} task={last_task} />
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
            over
          >
            {runLabel(ui, type)} <span class="sr-only">{name}</span>
          </ButtonLink>
        ),
    },
  };
}

function TemplateName(
  { ui, page, state, viewId, template }: TemplateColumnsProps & { template: TemplateView },
) {
  return (
    <span class="inline-flex items-center gap-1.5">
      <Disclosure ui={ui} page={page} state={state} template={template} />
      <TypeIcon ui={ui} type={template.type} />
      <a class="clamp" href={ui.href(paths.template(template.project_id, template.id, viewId))}>
        {template.name}
      </a>
    </span>
  );
}

function LastTask({ ui, page, task }: { ui: Ui; page: string; task: TaskView }) {
  return (
    <>
      <LogLink ui={ui} page={page} id={task.id} />
      {task.user_name && (
        <div class="clamp text-muted text-sm">{ui.t("tasks.by", { name: task.user_name })}</div>
      )}
    </>
  );
}
