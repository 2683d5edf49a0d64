import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { RunView } from "@/lib/workflows/run_schema.ts";
import { Name } from "../ui/cells.tsx";
import { type Column, Table } from "../ui/Table.tsx";
import { Duration, Time } from "../ui/Time.tsx";
import { StepState } from "./StepState.tsx";

interface RunTableProps {
  ui: Ui;
  runs: RunView[];
  now: Date;
}

/** Runs of a workflow, latest first. */
export const RunTable = ({ ui, runs, now }: RunTableProps) => (
  <Table
    caption={ui.t("workflows.latest_runs")}
    columns={columnsOf(ui, now)}
    rows={runs}
    rowId={({ id }) => `run-${id}`}
    empty={<p class="text-muted">{ui.t("workflows.never_ran")}</p>}
  />
);

const columnsOf = (ui: Ui, now: Date): Column<RunView>[] => [
  {
    label: ui.t("workflows.run_label"),
    kind: "main",
    cell: ({ project_id, workflow_id, id, message }) => (
      <span class="run-name">
        <a href={ui.href(paths.workflowRun(project_id, workflow_id, id))}>{`#${id}`}</a>{" "}
        <span class="text-muted">{message}</span>
      </span>
    ),
  },
  {
    label: ui.t("tasks.status_label"),
    kind: "status",
    cell: ({ status }) => <StepState ui={ui} state={status} />,
  },
  {
    label: ui.t("tasks.started_by"),
    kind: "text",
    cell: ({ user_name }) => <Name text={user_name} />,
  },
  {
    label: ui.t("workflows.started"),
    cell: ({ created }) => <Time ui={ui} at={created} ticks />,
  },
  {
    label: ui.t("results.duration"),
    cell: ({ created, end }) => <Duration ui={ui} start={created} end={end} now={now} />,
  },
];
