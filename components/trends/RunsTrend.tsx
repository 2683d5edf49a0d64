import { BARS_MIN, DurationTrend } from "./DurationTrend.tsx";
import { LogLink } from "../tasks/TaskTable.tsx";
import { nameColumn, stateColumn, whenColumn } from "../ui/lists/columns.tsx";
import { StatusChip } from "../ui/StatusChip.tsx";
import { Table } from "../ui/lists/Table.tsx";
import { Duration } from "../ui/Time.tsx";
import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { TaskView } from "../../lib/tasks/schema.ts";
import { isFinished } from "../../lib/model/status.ts";
import type { End } from "../../lib/tasks/trends/schema.ts";

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

const ID = "runs-trend";

/** Durations of a template's latest tasks. Renders an empty element while there are too few. */
export function RunsTrend({ ui, tasks, now, page }: RunsTrendProps) {
  const runs = tasks.filter(({ start }) => start !== null);
  if (runs.length < BARS_MIN) return <section id={ID} class="trend" />;
  const title = ui.t("trends.runs", { count: runs.length });
  return (
    <DurationTrend
      {...{ ui, title, now }}
      id={ID}
      bars={runs.map(({ id, status, start, end }) => ({
        id,
        look: isFinished(status) ? status as End : "open",
        status: ui.t(`tasks.status.${status}`),
        start: start!,
        end,
        href: ui.href(paths.over(page, id)),
      }))}
      mark="over"
      table={
        <Table<TaskView>
          caption={title}
          rows={runs}
          columns={[
            nameColumn(ui, "tasks.id", ({ id }) => <LogLink ui={ui} page={page} id={id} />),
            stateColumn(
              ui,
              "tasks.status_label",
              ({ status }) => <StatusChip ui={ui} status={status} />,
            ),
            whenColumn(ui, "tasks.start", "start", { now, named: false }),
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
