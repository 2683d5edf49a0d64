import { LastRun, LastVersion } from "./LastRun.tsx";
import { Disclosure } from "./LastTasks.tsx";
import { Star } from "./Favourites.tsx";
import { runLabel, TypeIcon, typeLabel } from "../tasks/TypeIcon.tsx";
import { Name } from "@/components/ui/cells.tsx";
import { ButtonLink } from "@/components/ui/Button.tsx";
import type { Column } from "@/components/ui/Table.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TemplateNames } from "@/lib/templates/arrange.ts";
import { listAddress, type ListState, type OptionalColumn } from "@/lib/templates/list.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";

export interface TemplateColumnsProps {
  ui: Ui;
  names: TemplateNames;
  favourites: ReadonlySet<number>;
  viewId: number | null;
  /** Address of this list, without its state. */
  page: string;
  state: ListState;
  mayRun: boolean;
}

export function allColumns(
  props: TemplateColumnsProps,
): Record<OptionalColumn | "name" | "actions", Column<TemplateView>> {
  const { ui, names, page, state, mayRun } = props;
  const here = listAddress(page, state);
  const named = (map: Map<number, string>, id: number | null) => <Name text={map.get(id ?? 0)} />;
  return {
    name: {
      label: ui.t("templates.name"),
      kind: "main",
      class: "template-name",
      cell: (template) => <TemplateName {...props} template={template} />,
    },
    type: { label: ui.t("templates.type_label"), cell: ({ type }) => typeLabel(ui, type) },
    last_task: {
      label: ui.t("templates.last_task"),
      kind: "status",
      class: "last-task",
      cell: ({ id, last_task }) => <LastRun ui={ui} templateId={id} task={last_task} page={here} />,
    },
    version: {
      label: ui.t("tasks.version"),
      class: "version",
      cell: ({ id, last_task }) => <LastVersion ui={ui} templateId={id} task={last_task} />,
    },
    playbook: {
      label: ui.t("templates.playbook"),
      class: "runs-what",
      cell: ({ playbook }) => <code class="clamp" title={playbook}>{playbook}</code>,
    },
    inventory: {
      label: ui.t("templates.inventory"),
      class: "runs-what",
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
      cell: (template) => mayRun && <RunLink {...props} template={template} />,
    },
  };
}

type CellProps = TemplateColumnsProps & { template: TemplateView };

function TemplateName({ ui, page, state, viewId, favourites, template }: CellProps) {
  const { id, project_id, name, type } = template;
  return (
    <span class="template-line">
      <Disclosure ui={ui} page={page} state={state} template={template} />
      <Star ui={ui} template={template} isFavourite={favourites.has(id)} />
      <TypeIcon ui={ui} type={type} />
      <a class="clamp" title={name} href={ui.href(paths.template(project_id, id, viewId))}>
        {name}
      </a>
    </span>
  );
}

const RunLink = ({ ui, template: { project_id, id, type, name } }: CellProps) => (
  <ButtonLink icon="play" kind="quiet" href={ui.href(paths.startTask(project_id, id))} over>
    {runLabel(ui, type)} <span class="sr-only">{name}</span>
  </ButtonLink>
);
