import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { RunView } from "@/lib/workflows/run_schema.ts";
import type { RunStatus } from "@/lib/workflows/step_state.ts";
import type { StepTrend } from "@/lib/workflows/step_trends.ts";
import type { WorkflowView } from "@/lib/workflows/schema.ts";
import { BARS_MIN, DurationTrend } from "../trends/DurationTrend.tsx";
import type { BarKind } from "../trends/Trend.tsx";
import { Dash } from "../ui/lists/cells.tsx";
import { nameColumn } from "../ui/lists/columns.tsx";
import { type Column, Table } from "../ui/lists/Table.tsx";
import { stepName, type StepNames } from "./step_texts.ts";
import { runColumns } from "./RunTable.tsx";

const KINDS: Record<RunStatus, BarKind> = {
  running: "open",
  approval: "open",
  success: "success",
  failed: "error",
  stopped: "stopped",
};

interface RunTrendProps {
  ui: Ui;
  /** Latest first. */
  runs: RunView[];
  now: Date;
}

/** Durations of a workflow's latest runs. Renders nothing while there are too few. */
export function RunTrend({ ui, runs, now }: RunTrendProps) {
  if (runs.length < BARS_MIN) return null;
  const title = ui.t("workflows.trend", { count: runs.length });
  return (
    <DurationTrend
      {...{ ui, title, now }}
      id="workflow-trend"
      bars={runs.map(({ id, project_id, workflow_id, status, start, end }) => ({
        id,
        look: KINDS[status],
        status: ui.t(`workflows.state.${status}`),
        start,
        end,
        href: ui.href(paths.workflowRun(project_id, workflow_id, id)),
      }))}
      table={<Table caption={title} rows={runs} columns={runColumns(ui, now, false)} />}
    />
  );
}

interface StepTrendsProps {
  ui: Ui;
  workflow: WorkflowView;
  names: StepNames;
  trends: StepTrend[];
}

/** Ends of the steps of a workflow in the last days. Renders nothing without any runs. */
export function StepTrends({ ui, workflow, names, trends }: StepTrendsProps) {
  const byId = new Map(trends.map((trend) => [trend.id, trend]));
  const rows = workflow.steps.flatMap((step) => {
    const trend = byId.get(step.id);
    return trend ? [{ ...trend, name: stepName(ui, step, names) }] : [];
  });
  if (rows.length === 0) return null;
  const total = rows.reduce((sum, { average }) => sum + (average ?? 0), 0);
  const columns: Column<typeof rows[number]>[] = [
    { label: "#", named: true, cell: ({ id }) => id },
    nameColumn(ui, "workflows.step", ({ name }) => name),
    {
      label: ui.t("workflows.success_rate"),
      named: true,
      cell: ({ counts: { success = 0, failed = 0 } }) =>
        success + failed === 0 ? <Dash /> : ui.percent(success / (success + failed)),
    },
    ...(["success", "failed", "stopped", "skipped"] as const).map((state) => ({
      label: ui.t(`workflows.state.${state}`),
      named: true,
      cell: ({ counts }: StepTrend) => ui.number(counts[state] ?? 0),
    })),
    {
      label: ui.t("workflows.average"),
      named: true,
      cell: ({ average }) => average === null ? <Dash /> : ui.duration(average * 1000),
    },
    {
      label: ui.t("workflows.share"),
      named: true,
      cell: ({ average }) =>
        average === null || total === 0 ? <Dash /> : ui.percent(average / total),
    },
  ];
  const title = ui.t("workflows.step_trends");
  return (
    <section aria-labelledby="step-trends-title">
      <h2 id="step-trends-title">{title}</h2>
      <Table caption={title} rows={rows} columns={columns} rowId={({ id }) => `trend-${id}`} />
    </section>
  );
}
