import { paths } from "@/lib/base/paths.ts";
import type { TableState } from "@/lib/base/lists/table_state.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { may, type Shell } from "@/lib/web/shell.ts";
import type { WorkflowView } from "@/lib/workflows/schema.ts";
import type { ListColumn } from "../ui/lists/arrange_rows.ts";
import { ButtonLink, IconLink } from "../ui/Button.tsx";
import { ChangeLinks } from "../ui/lists/ChangeLinks.tsx";
import { Dash } from "../ui/lists/cells.tsx";
import { actionsColumn, nameColumn, stateColumn } from "../ui/lists/columns.tsx";
import { EmptyState } from "../ui/lists/EmptyState.tsx";
import { FilteredTable } from "../ui/lists/FilteredTable.tsx";
import { PageHeader, Title } from "../ui/Page.tsx";
import { Time } from "../ui/Time.tsx";
import { StepState } from "../ui/StepState.tsx";
import { RunReason } from "./RunReason.tsx";

interface WorkflowsPageProps {
  ui: Ui;
  shell: Shell;
  workflows: WorkflowView[];
  state: TableState;
}

/** The workflows of a project. */
export function WorkflowsPage({ ui, shell, workflows, state }: WorkflowsPageProps) {
  const { id: projectId, name } = shell.project;
  const mayChange = may(shell, "manage_resources");
  const add = mayChange && (
    <ButtonLink
      kind="primary"
      icon="plus"
      href={ui.href(paths.workflow(projectId, "new", "/edit"))}
      over
    >
      {ui.t("workflows.new")}
    </ButtonLink>
  );
  return (
    <>
      <Title ui={ui} parts={[ui.t("sections.workflows"), name]} />
      <PageHeader title={ui.t("sections.workflows")} actions={add} />
      <FilteredTable
        ui={ui}
        id="workflows"
        path={ui.href(paths.section(projectId, "workflows"))}
        state={state}
        caption={ui.t("sections.workflows")}
        rows={workflows}
        rowId={({ id }) => `workflow-${id}`}
        columns={columnsOf(ui, shell)}
        noMatch="workflows.no_match"
        empty={
          <EmptyState icon="workflows" title={ui.t("workflows.empty")}>
            <p>{ui.t("workflows.about")}</p>
            {add && <p class="m-0">{add}</p>}
          </EmptyState>
        }
      />
    </>
  );
}

function columnsOf(ui: Ui, shell: Shell): ListColumn<WorkflowView>[] {
  const { id: projectId } = shell.project;
  return [
    nameColumn(ui, "resources.name", ({ name }) => name, {
      href: ({ id }) => ui.href(paths.workflow(projectId, id)),
    }),
    {
      id: "steps",
      label: ui.t("workflows.steps"),
      named: true,
      value: ({ steps }) => steps.length,
      cell: ({ steps }) => ui.number(steps.length),
    },
    stateColumn(
      ui,
      "workflows.last_run",
      ({ id, last_run: last }) =>
        last
          ? (
            <a href={ui.href(paths.workflowRun(projectId, id, last.id))}>
              <StepState ui={ui} state={last.status} />
            </a>
          )
          : <span class="text-muted">{ui.t("workflows.never_ran")}</span>,
      { id: "status", value: ({ last_run }) => last_run?.status ?? "" },
    ),
    {
      label: ui.t("workflows.why"),
      kind: "text",
      cell: ({ last_run: last }) =>
        last?.reason ? <RunReason ui={ui} run={last} brief /> : <Dash />,
    },
    {
      id: "started",
      label: ui.t("workflows.started"),
      usual: "desc",
      value: ({ last_run }) => last_run?.created ?? "",
      cell: ({ last_run: last }) => <Time ui={ui} at={last?.created ?? null} ticks />,
    },
    actionsColumn(ui, (workflow) => <Actions ui={ui} shell={shell} workflow={workflow} />),
  ];
}

function Actions({ ui, shell, workflow }: { ui: Ui; shell: Shell; workflow: WorkflowView }) {
  const { project_id: projectId, id, name, steps } = workflow;
  const at = (part: "/run" | "/delete" | "/edit") => ui.href(paths.workflow(projectId, id, part));
  return (
    <>
      {may(shell, "manage_resources") && (
        <ChangeLinks ui={ui} name={name} remove={at("/delete")} edit={at("/edit")} over />
      )} {may(shell, "run_tasks") && steps.length > 0 && (
        <IconLink
          icon="play"
          label={ui.t("workflows.run_named", { name })}
          href={at("/run")}
          over
        />
      )}
    </>
  );
}
