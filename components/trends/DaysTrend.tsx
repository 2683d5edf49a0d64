import { BarChart } from "./BarChart.tsx";
import { Trend } from "./Trend.tsx";
import { nameColumn } from "../ui/lists/columns.tsx";
import { Table } from "../ui/lists/Table.tsx";
import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import {
  countEnds,
  type DayRuns,
  type End,
  ENDS,
  successRate,
} from "../../lib/tasks/trends/schema.ts";

interface DaysTrendProps {
  ui: Ui;
  projectId: number;
  /** Oldest first. */
  days: DayRuns[];
}

/** Fewer tasks, or all on one day, show no trend. */
const RUNS_MIN = 5;
const DAYS_MIN = 2;

const ID = "overview-trend";

const busyDays = (days: DayRuns[]) => days.filter((day) => totalOf(day) > 0);
const sumOf = (days: DayRuns[]) => days.reduce((sum, day) => sum + totalOf(day), 0);

/** Whether there are enough tasks to show a trend. */
export const showsTrend = (days: DayRuns[]): boolean =>
  sumOf(days) >= RUNS_MIN && busyDays(days).length >= DAYS_MIN;

/** A project's tasks per day by result. */
export function DaysTrend({ ui, projectId, days }: DaysTrendProps) {
  const busy = busyDays(days);
  const total = sumOf(days);
  const [first, last] = [days[0].day, days.at(-1)!.day];
  const most = Math.max(...days.map(totalOf));
  const rate = successRate(days);
  const href = (from: string, to: string, ...statuses: End[]) => {
    const query = new URLSearchParams({ from, to });
    for (const status of statuses) query.append("status", status);
    return `${ui.href(paths.section(projectId, "history"))}?${query}`;
  };
  const bars = days.map(({ day, counts }) => ({
    id: day,
    segments: ENDS.map((end) => ({
      look: end,
      value: counts[end],
      title: ui.labelled(ui.day(day), ui.t(`trends.${end}`, { count: counts[end] })),
      href: href(day, day, end),
    })),
  }));
  return (
    <Trend
      ui={ui}
      id={ID}
      title={ui.t("trends.days")}
      result={rate === null ? null : ui.t("trends.rate", { rate: ui.percent(rate), count: total })}
      legend={ENDS.map((end) => ({
        look: end,
        text: ui.t(`trends.${end}`, { count: countEnds(days, end) }),
        href: href(first, last, end),
      }))}
      ends={[ui.day(first), ui.day(last)]}
      chart={
        <BarChart
          id={`${ID}-chart`}
          bars={bars}
          slots={days.length}
          highest={ui.t("trends.most", { count: most })}
          mark="push"
        />
      }
      table={
        <>
          <p>{ui.t("trends.zone", { zone: ui.timeZone })}</p>
          <Table<DayRuns>
            caption={ui.t("trends.days")}
            rows={busy.toReversed()}
            columns={[
              nameColumn(
                ui,
                "trends.day",
                ({ day }) => <a href={href(day, day)} data-stay="push">{ui.day(day)}</a>,
              ),
              ...ENDS.map((end) => ({
                label: ui.t(`tasks.status.${end}`),
                named: true,
                cell: ({ day, counts }: DayRuns) =>
                  counts[end] > 0
                    ? <a href={href(day, day, end)} data-stay="push">{counts[end]}</a>
                    : "0",
              })),
            ]}
          />
        </>
      }
    />
  );
}

const totalOf = ({ counts }: DayRuns): number => ENDS.reduce((sum, end) => sum + counts[end], 0);
