import { DrawnTitle } from "@/components/ui/DrawnTitle.tsx";
import { axisLabels, axisMarks } from "./time_axis.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TimelineBar } from "@/lib/results/timeline.ts";

/** In pixels. */
const HEIGHT = 20;
const BAR_TOP = 4;

interface AxisProps {
  ui: Ui;
  totalMs: number;
  class?: string;
}

/**
 * Labels of the axis: time since the task began. Hidden from screen readers, because the rows say
 * it too.
 */
export const TimeAxis = ({ ui, totalMs, class: more = "" }: AxisProps) => (
  <svg class={`time-axis ${more}`} width="100%" height={HEIGHT} aria-hidden="true">
    <text x="0" y="14">0</text>
    {axisLabels(totalMs, ui.exactDuration).map(([mark, text]) => (
      <text x={percent(mark, totalMs)} y="14" text-anchor={anchorOf(mark / totalMs)}>{text}</text>
    ))}
  </svg>
);

/** A label near the end of the axis ends at its mark, and all others are centered on it. */
const anchorOf = (part: number) => part > 0.9 ? "end" : "middle";

interface TimeBarProps {
  ui: Ui;
  bar: TimelineBar;
  totalMs: number;
  href: string;
}

/** A bar on the time axis: start and duration. */
export function TimeBar({ ui, bar, totalMs, href }: TimeBarProps) {
  const { task, fromMs, ms, status, isRunning } = bar;
  const look = isRunning ? "timeline-running" : `result-${status ?? "skipped"}`;
  const began = ui.t("timeline.began", { after: ui.exactDuration(fromMs) });
  return (
    <>
      <span class="sr-only">{began}</span>
      <svg class="time-bar" width="100%" height={HEIGHT} aria-hidden="true">
        {axisMarks(totalMs).map((mark) => (
          <line x1={percent(mark, totalMs)} x2={percent(mark, totalMs)} y1="0" y2={HEIGHT} />
        ))}
        <a href={href} tabIndex={-1} data-stay>
          <DrawnTitle text={`${began}, ${ui.exactDuration(ms)}`} />
          <rect
            class={`${look} ${task ? "" : "time-bar-play"}`}
            x={percent(fromMs, totalMs)}
            y={BAR_TOP}
            width={percent(ms, totalMs)}
            height={HEIGHT - 2 * BAR_TOP}
          />
        </a>
      </svg>
    </>
  );
}

const percent = (ms: number, totalMs: number): string =>
  `${totalMs === 0 ? 0 : Math.min(100, (100 * ms) / totalMs).toFixed(2)}%`;
