import type { Ui } from "@/lib/i18n/ui.ts";
import type { WorkflowView } from "@/lib/workflows/schema.ts";
import { paths } from "@/lib/base/paths.ts";
import { IconButton } from "../ui/Button.tsx";
import { ChangeLinks } from "../ui/lists/ChangeLinks.tsx";
import { Breakable, NameLink } from "../ui/lists/cells.tsx";
import { actionsColumn, nameColumn } from "../ui/lists/columns.tsx";
import { Icon } from "../ui/Icon.tsx";
import { type Column, Table } from "../ui/lists/Table.tsx";
import { detailText, shownSteps, startText, stepName, type StepNames } from "./step_texts.ts";
import { KIND_ICONS } from "./WorkflowGraph.tsx";

type Step = WorkflowView["steps"][number];

interface StepTableProps {
  ui: Ui;
  workflow: WorkflowView;
  names: StepNames;
  mayChange: boolean;
}

/** The steps of a workflow in their order, with buttons that change them. */
export function StepTable({ ui, workflow, names, mayChange }: StepTableProps) {
  const { project_id: projectId, id, steps } = workflow;
  const shown = shownSteps(ui, steps, names);
  const nameOf = (step: Step) => stepName(ui, step, names);
  const at = (step: Step, part: "" | "/delete" | "/move" = "") =>
    ui.href(paths.workflowStep(projectId, id, step.id, part));
  const hrefOf = (step: Step) =>
    step.hidden
      ? null
      : step.kind === "template"
      ? ui.href(paths.template(projectId, step.template_id))
      : step.kind === "workflow"
      ? ui.href(paths.workflow(projectId, step.workflow_id))
      : null;
  const columns: Column<Step>[] = [
    { label: "#", named: true, cell: ({ id }) => id },
    nameColumn(ui, "workflows.step", (step) => (
      <span class="run-name parts">
        <Icon
          name={KIND_ICONS[step.kind]}
          label={ui.t(`workflows.kind.${step.kind}`)}
          class="text-muted"
        />{" "}
        {mayChange
          ? <NameLink text={nameOf(step)} href={at(step)} over />
          : <Breakable text={nameOf(step)} />}
      </span>
    )),
    {
      label: ui.t("tasks.task"),
      kind: "text",
      cell: (step) => {
        const [text, href] = [detailText(ui, step, names), hrefOf(step)];
        return href ? <a class="clamp" href={href}>{text}</a> : text;
      },
    },
    {
      label: ui.t("workflows.starts"),
      kind: "text",
      cell: (step) => startText(ui, shown, shown[steps.indexOf(step)]),
    },
  ];
  if (mayChange) {
    columns.push(
      actionsColumn(ui, (step) => <StepActions {...{ ui, step, steps, at }} name={nameOf(step)} />),
    );
  }
  return (
    <Table
      caption={ui.t("workflows.steps")}
      columns={columns}
      rows={steps}
      rowId={({ id }) => `step-${id}`}
    />
  );
}

interface StepActionsProps {
  ui: Ui;
  step: Step;
  name: string;
  steps: readonly Step[];
  at(step: Step, part: "" | "/delete" | "/move"): string;
}

function StepActions({ ui, step, name, steps, at }: StepActionsProps) {
  const position = steps.indexOf(step);
  return (
    <>
      <form method="post" action={at(step, "/move")} data-stay class="inline-flex">
        <IconButton
          icon="chevron_up"
          name="to"
          value={position - 1}
          disabled={position === 0}
          label={ui.t("workflows.move_up", { name })}
        />
        <IconButton
          icon="chevron_down"
          name="to"
          value={position + 1}
          disabled={position === steps.length - 1}
          label={ui.t("workflows.move_down", { name })}
        />
      </form>
      <ChangeLinks ui={ui} name={name} remove={at(step, "/delete")} edit={at(step, "")} over />
    </>
  );
}
