import type { ComponentChildren } from "preact";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { RunView } from "@/lib/workflows/run_schema.ts";
import { nameColumn, stateColumn, whenColumn } from "../ui/lists/columns.tsx";
import { Icon } from "../ui/Icon.tsx";
import { type Column, Table } from "../ui/lists/Table.tsx";
import { Duration } from "../ui/Time.tsx";
import { StepState } from "../ui/StepState.tsx";
import { RunReason } from "./RunReason.tsx";
import { Starter } from "./Starter.tsx";

interface RunTableProps {
  ui: Ui;
  runs: RunView[];
  now: Date;
  /** Whether the runs are those of several workflows, whose names are shown. */
  isMixed?: boolean;
  empty?: ComponentChildren;
}

/** Runs of workflows, latest first. */
export const RunTable = ({ ui, runs, now, isMixed = false, empty }: RunTableProps) => (
  <Table
    caption={ui.t(isMixed ? "dashboard.runs" : "workflows.latest_runs")}
    columns={runColumns(ui, now, isMixed)}
    rows={runs}
    rowId={({ id }) => `run-${id}`}
    empty={empty ?? <p class="text-muted">{ui.t("workflows.never_ran")}</p>}
  />
);

/** Columns of a table of runs. `isMixed` says whether they are runs of several workflows. */
export const runColumns = (ui: Ui, now: Date, isMixed: boolean): Column<RunView>[] => [
  nameColumn(
    ui,
    "workflows.run_label",
    (run) => <RunTitle ui={ui} run={run} isMixed={isMixed} hasReason />,
  ),
  stateColumn(ui, "tasks.status_label", ({ status }) => <StepState ui={ui} state={status} />),
  {
    label: ui.t("tasks.started_by"),
    kind: "text",
    cell: (run) => <Starter ui={ui} run={run} class="clamp" />,
  },
  whenColumn(ui, "workflows.started", "created", { ticks: true, named: false }),
  {
    label: ui.t("results.duration"),
    cell: ({ created, end }) => <Duration ui={ui} start={created} end={end} now={now} />,
  },
];

interface RunTitleProps {
  ui: Ui;
  run: RunView;
  isMixed: boolean;
  /** Whether it says why the run is in its status. */
  hasReason?: boolean;
}

/** The number of a run with a link, the name of its workflow, and its message. */
export function RunTitle({ ui, run, isMixed, hasReason = false }: RunTitleProps) {
  const { project_id, workflow_id, workflow_name: name, id } = run;
  const message = visible(run.message);
  const showsReason = hasReason && run.reason !== null;
  return (
    <span class={showsReason ? "run-name has-reason" : "run-name"}>
      <span class="run-title">
        {isMixed && <Icon name="workflows" label={ui.t("workflows.kind.workflow")} />}{" "}
        <a href={ui.href(paths.workflowRun(project_id, workflow_id, id))}>{`#${id}`}</a>{" "}
        {isMixed && (
          <a
            class="clamp font-semibold"
            href={ui.href(paths.workflow(project_id, workflow_id))}
            title={name}
          >
            {visible(name)}
          </a>
        )}
      </span>{" "}
      {showsReason && <RunReason ui={ui} run={run} brief />}{" "}
      {message && <span class="clamp text-muted" title={message}>{message}</span>}
    </span>
  );
}
