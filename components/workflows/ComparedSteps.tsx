import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { ComparedStep, RunComparison, StepSide } from "@/lib/workflows/compare_schema.ts";
import { Dash } from "../ui/lists/cells.tsx";
import { nameColumn } from "../ui/lists/columns.tsx";
import { type Column, Table } from "../ui/lists/Table.tsx";
import { StepState } from "../ui/StepState.tsx";

interface ComparedStepsProps {
  ui: Ui;
  projectId: number;
  compared: RunComparison;
}

/** The steps of two runs: changes of the definition, states and durations. */
export function ComparedSteps({ ui, projectId, compared }: ComparedStepsProps) {
  const { run, base, steps } = compared;
  const side = (label: string, of: (step: ComparedStep) => StepSide | null) => ({
    label,
    named: true,
    class: "compared-side",
    cell: (step: ComparedStep) => <Side ui={ui} side={of(step)} />,
  });
  const columns: Column<ComparedStep>[] = [
    { label: "#", named: true, cell: ({ id }) => id },
    nameColumn(ui, "workflows.step", ({ name }) => visible(ui.tell(name))),
    {
      label: ui.t("workflows.definition"),
      kind: "text",
      cell: (step) => changeText(ui, step) || <Dash />,
    },
    side(`#${run.id}`, (step) => step.run),
    side(`#${base?.id ?? ""}`, (step) => step.base),
    {
      label: ui.t("compare.difference"),
      named: true,
      cell: ({ run, base }) => differenceText(ui, msOf(run), msOf(base)) || <Dash />,
    },
    {
      label: ui.t("compare.title"),
      named: true,
      cell: (step) => <TaskLink ui={ui} projectId={projectId} step={step} />,
    },
  ];
  const title = ui.t("workflows.steps");
  return (
    <section aria-labelledby="compared-steps-title">
      <h2 id="compared-steps-title">{title}</h2>
      <Table caption={title} columns={columns} rows={steps} rowId={({ id }) => `step-${id}`} />
    </section>
  );
}

/** State and duration of a step in one of the runs. */
function Side({ ui, side }: { ui: Ui; side: StepSide | null }) {
  const ms = msOf(side);
  if (!side) return <Dash />;
  return (
    <span class="parts">
      <StepState ui={ui} state={side.state} /> {ms !== null && <span>{ui.duration(ms)}</span>}
    </span>
  );
}

const msOf = (side: StepSide | null): number | null =>
  side?.start && side.end && side.state !== "skipped"
    ? Date.parse(side.end) - Date.parse(side.start)
    : null;

/** Returns how much longer or shorter a step took: "+2m", "−10s"; empty if that is not known. */
function differenceText(ui: Ui, run: number | null, base: number | null): string {
  if (run === null || base === null) return "";
  const seconds = Math.round((run - base) / 1000);
  const sign = seconds > 0 ? "+" : seconds < 0 ? "−" : "";
  return sign + ui.duration(Math.abs(seconds) * 1000);
}

/** Labels of the members of steps. */
const FIELDS: Record<string, string> = {
  name: "resources.name",
  after: "workflows.starts",
  join: "workflows.join",
  template_id: "workflows.template",
  workflow_id: "workflows.kind.workflow",
  minutes: "workflows.minutes_label",
  params: "workflows.values",
  values: "workflows.mapping",
  roles: "approvals.roles",
  user_ids: "approvals.people",
  needed: "approvals.needed",
  not_starter: "approvals.not_starter",
  not_editor: "approvals.not_editor",
  timeout_minutes: "approvals.timeout_minutes",
  on_timeout: "approvals.on_timeout",
  message: "approvals.message",
};

function changeText(ui: Ui, { change, changed }: ComparedStep): string {
  if (change === "same") return "";
  const text = ui.t(`workflows.change.${change}`);
  const fields = changed.flatMap((name) => FIELDS[name] ? ui.t(FIELDS[name]) : []);
  return fields.length === 0 ? text : ui.labelled(text, ui.list(fields));
}

/** Link to the comparison of the two tasks of a step, if both ran the same template. */
function TaskLink(
  { ui, projectId, step }: Omit<ComparedStepsProps, "compared"> & { step: ComparedStep },
) {
  const { run, base, name } = step;
  const template = run?.template_id;
  const isComparable = template && template === base?.template_id && run.task_id && base.task_id &&
    run.task_id !== base.task_id;
  if (!isComparable) return <Dash />;
  return (
    <a href={ui.href(paths.compare(projectId, template, run.task_id!, base.task_id!))}>
      {`#${run.task_id} – #${base.task_id}`} <span class="sr-only">{ui.tell(name)}</span>
    </a>
  );
}
