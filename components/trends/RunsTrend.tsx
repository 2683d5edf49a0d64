import { BarChart } from "./BarChart.tsx";
import { type BarKind, Trend } from "./Trend.tsx";
import { LogLink } from "../tasks/TaskTable.tsx";
import { StatusChip } from "../ui/StatusChip.tsx";
import { Table } from "../ui/Table.tsx";
import { Duration, Time } from "../ui/Time.tsx";
import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { TaskView } from "../../lib/tasks/schema.ts";
import { isFinished } from "../../lib/tasks/status.ts";
import { type End, ENDS, successRate } from "../../lib/tasks/trends/schema.ts";

interface RunsTrendProps {
  ui: Ui;
  /** Latest first. */
  tasks: TaskView[];
  now: Date;
  /** Address of the page that logs open over. */
  page: string;
}

/** Number of tasks shown. */
export const TREND_RUNS = 30;
/** Fewer tasks show no trend. */
const RUNS_MIN = 3;
/** Fewer bars than this do not become wider. */
const SLOTS_MIN = 10;

const ID = "runs-trend";
const BAR_KINDS: BarKind[] = [...ENDS, "open"];

/** Durations of a template's latest tasks. Renders an empty element while there are too few. */
export function RunsTrend({ ui, tasks, now, page }: RunsTrendProps) {
  const runs = tasks.filter(({ start }) => start !== null);
  if (runs.length < RUNS_MIN) return <section id={ID} class="trend" />;
  const slots = Math.max(SLOTS_MIN, runs.length);
  const msOf = ({ start, end }: TaskView) =>
    Math.max(0, (end ? Date.parse(end) : now.getTime()) - Date.parse(start!));
  const count = (look: BarKind) => runs.filter((task) => kindOf(task) === look).length;
  const counts = { success: count("success"), error: count("error"), stopped: count("stopped") };
  const rate = successRate([{ counts }]);
  const bars = runs.toReversed().map((task) => ({
    id: String(task.id),
    segments: [{
      look: kindOf(task),
      value: Math.max(1, msOf(task)),
      title: ui.labelled(
        `#${task.id}`,
        `${ui.t(`tasks.status.${task.status}`)}, ${ui.duration(msOf(task))}`,
      ),
      href: ui.href(paths.over(page, task.id)),
    }],
  }));
  return (
    <Trend
      ui={ui}
      id={ID}
      title={ui.t("trends.runs", { count: runs.length })}
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
          bars={bars}
          slots={slots}
          highest={ui.duration(Math.max(...runs.map(msOf)))}
          mark="over"
        />
      }
      table={
        <Table
          caption={ui.t("trends.runs", { count: runs.length })}
          rows={runs}
          columns={[
            {
              label: ui.t("tasks.id"),
              kind: "main",
              cell: ({ id }) => <LogLink ui={ui} page={page} id={id} />,
            },
            {
              label: ui.t("tasks.status_label"),
              cell: ({ status }) => <StatusChip ui={ui} status={status} />,
            },
            {
              label: ui.t("tasks.start"),
              cell: ({ start }) => <Time ui={ui} at={start} now={now} />,
            },
            {
              label: ui.t("tasks.duration"),
              cell: ({ start, end }) => <Duration ui={ui} start={start} end={end} now={now} />,
            },
          ]}
        />
      }
    />
  );
}

const kindOf = ({ status }: TaskView): BarKind => isFinished(status) ? status as End : "open";
