import type { ComponentChildren } from "preact";
import type { Ui } from "../../lib/i18n/ui.ts";
import { type End, ENDS, successRate } from "../../lib/tasks/trends/schema.ts";
import { BarChart, type BarChartProps } from "./BarChart.tsx";
import { type BarKind, Trend } from "./Trend.tsx";

/** A task or a run with its duration. */
interface TimedBar {
  id: number;
  look: BarKind;
  /** Its status for readers. */
  status: string;
  start: string;
  /** Null while it runs. */
  end: string | null;
  href: string;
}

interface DurationTrendProps extends Pick<BarChartProps, "mark"> {
  ui: Ui;
  id: string;
  title: string;
  /** Latest first. */
  bars: TimedBar[];
  now: Date;
  table: ComponentChildren;
}

/** Fewer tasks or runs show no trend. */
export const BARS_MIN = 3;
/** Fewer bars than this do not become wider. */
const SLOTS_MIN = 10;
const BAR_KINDS: BarKind[] = [...ENDS, "open"];

/** Durations of the latest tasks or runs, and how they ended. */
export function DurationTrend({ ui, id, title, bars, now, mark, table }: DurationTrendProps) {
  const slots = Math.max(SLOTS_MIN, bars.length);
  const msOf = ({ start, end }: TimedBar) =>
    Math.max(0, (end ? Date.parse(end) : now.getTime()) - Date.parse(start));
  const count = (look: BarKind) => bars.filter((bar) => bar.look === look).length;
  const counts = Object.fromEntries(ENDS.map((end) => [end, count(end)])) as Record<End, number>;
  const rate = successRate([{ counts }]);
  return (
    <Trend
      ui={ui}
      id={id}
      title={title}
      result={rate === null ? null : ui.t("trends.went_well", { rate: ui.percent(rate) })}
      legend={BAR_KINDS.filter((look) => count(look) > 0).map((look) => ({
        look,
        text: ui.t(`trends.${look}`, { count: count(look) }),
      }))}
      ends={[`#${bars.at(-1)!.id}`, `#${bars[0].id}`]}
      width={bars.length / slots}
      chart={
        <BarChart
          id={`${id}-chart`}
          bars={bars.toReversed().map((bar) => ({
            id: String(bar.id),
            segments: [{
              look: bar.look,
              value: Math.max(1, msOf(bar)),
              title: ui.labelled(`#${bar.id}`, `${bar.status}, ${ui.duration(msOf(bar))}`),
              href: bar.href,
            }],
          }))}
          slots={slots}
          highest={ui.duration(Math.max(...bars.map(msOf)))}
          mark={mark}
        />
      }
      table={table}
    />
  );
}
