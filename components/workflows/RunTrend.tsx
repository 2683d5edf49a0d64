import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { type End, ENDS, successRate } from "@/lib/tasks/trends/schema.ts";
import type { RunView } from "@/lib/workflows/run_schema.ts";
import type { RunStatus } from "@/lib/workflows/step_state.ts";
import type { StepTrend } from "@/lib/workflows/step_trends.ts";
import type { WorkflowView } from "@/lib/workflows/schema.ts";
import { BarChart } from "../trends/BarChart.tsx";
import { type BarKind, Trend } from "../trends/Trend.tsx";
import { Dash } from "../ui/cells.tsx";
import { type Column, Table } from "../ui/Table.tsx";
import { stepName, type StepNames } from "./step_texts.ts";
import { runColumns } from "./RunTable.tsx";

/** Fewer runs show no trend. */
const RUNS_MIN = 3;
/** Fewer bars than this do not become wider. */
const SLOTS_MIN = 10;

const ID = "workflow-trend";
const BAR_KINDS: BarKind[] = [...ENDS, "open"];
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
  if (runs.length < RUNS_MIN) return null;
  const slots = Math.max(SLOTS_MIN, runs.length);
  const msOf = ({ start, end }: RunView) =>
    Math.max(0, (end ? Date.parse(end) : now.getTime()) - Date.parse(start));
  const count = (look: BarKind) => runs.filter(({ status }) => KINDS[status] === look).length;
  const counts = Object.fromEntries(ENDS.map((end) => [end, count(end)])) as Record<End, number>;
  const rate = successRate([{ counts }]);
  const title = ui.t("workflows.trend", { count: runs.length });
  return (
    <Trend
      ui={ui}
      id={ID}
      title={title}
      result={rate === null ? null : ui.t("trends.went_well", { rate: ui.percent(rate) })}
      legend={BAR_KINDS.filter((look) => count(look) > 0).map((look) => ({
        look,
        text: ui.t(`trends.${look}`, { count: count(look) }),
      }))}
      ends={[`#${runs.at(-1)!.id}`, `#${runs[0].id}`]}
      width={runs.length / slots}
      chart={
        <BarChart
          id={`${ID}-chart`}
          bars={runs.toReversed().map((run) => ({
            id: String(run.id),
            segments: [{
              look: KINDS[run.status],
              value: Math.max(1, msOf(run)),
              title: ui.labelled(
                `#${run.id}`,
                `${ui.t(`workflows.state.${run.status}`)}, ${ui.duration(msOf(run))}`,
              ),
              href: ui.href(paths.workflowRun(run.project_id, run.workflow_id, run.id)),
            }],
          }))}
          slots={slots}
          highest={ui.duration(Math.max(...runs.map(msOf)))}
        />
      }
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
    { label: ui.t("workflows.number"), named: true, cell: ({ id }) => id },
    { label: ui.t("workflows.step"), kind: "main", cell: ({ name }) => name },
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
