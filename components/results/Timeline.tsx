import { ResultChip } from "./ResultChip.tsx";
import { LineLink } from "./LineLink.tsx";
import { taskName } from "./task_name.ts";
import type { TaskAddress } from "@/components/tasks/task_address.ts";
import { Dash } from "@/components/ui/lists/cells.tsx";
import { nameColumn, stateColumn } from "@/components/ui/lists/columns.tsx";
import { type Column, Table } from "@/components/ui/lists/Table.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { TimelineBar } from "@/lib/results/timeline.ts";
import { DrawnTitle } from "@/components/ui/DrawnTitle.tsx";
import { axisLabels, axisTicks } from "./time_axis.ts";

interface TimelineProps {
  ui: Ui;
  address: TaskAddress;
  bars: TimelineBar[];
  /** Duration of the task, until now if it is running. */
  totalMs: number;
  /** Address that a bar links to. */
  hrefOf(bar: TimelineBar): string;
}

/** Plays and tasks as bars on one time axis. Each row states in words what its bar shows. */
export const Timeline = (props: TimelineProps) => (
  <div class="timeline">
    <TimeAxis ui={props.ui} totalMs={props.totalMs} class="timeline-axis-alone" />
    <Table
      caption={props.ui.t("timeline.caption")}
      columns={columnsOf(props)}
      rows={props.bars}
      rowId={({ play, task }) => task ? `timeline-task-${task.id}` : `timeline-play-${play.id}`}
    />
  </div>
);

const columnsOf = (
  { ui, address, totalMs, hrefOf }: Omit<TimelineProps, "bars">,
): Column<TimelineBar>[] => [
  nameColumn(ui, "timeline.task", (bar) => <BarName ui={ui} bar={bar} href={hrefOf(bar)} />),
  stateColumn(
    ui,
    "timeline.when",
    (bar) => <TimeBar ui={ui} bar={bar} totalMs={totalMs} href={hrefOf(bar)} />,
    { class: "timeline-when", heading: <TimeAxis ui={ui} totalMs={totalMs} /> },
  ),
  {
    label: ui.t("results.state"),
    cell: ({ status, isRunning }) =>
      isRunning
        ? <span class="chip timeline-running">{ui.t("tasks.status.running")}</span>
        : status
        ? <ResultChip ui={ui} status={status} />
        : <Dash />,
  },
  {
    label: ui.t("results.duration"),
    class: "result-count",
    cell: ({ ms }) => (
      <span class="whitespace-nowrap">
        {ui.exactDuration(ms)}{" "}
        <span class="text-muted" title={ui.t("timeline.share")}>
          {ui.percent(totalMs === 0 ? 0 : ms / totalMs)}
        </span>
      </span>
    ),
  },
  {
    label: ui.t("timeline.slowest_host"),
    kind: "text",
    cell: ({ task }) =>
      task?.slowest
        ? (
          <a
            class="clamp"
            href={address.href("hosts", { host: task.slowest.host_id })}
            title={ui.labelled(task.slowest.host, ui.exactDuration(task.slowest.duration_ms))}
            aria-current="false"
            data-stay={address.isInOverlay ? true : "push"}
          >
            {visible(task.slowest.host)}
          </a>
        )
        : <Dash />,
  },
  {
    label: ui.t("task_log.label"),
    cell: ({ play, task }) => <LineLink ui={ui} address={address} line={(task ?? play).line} />,
  },
];

function BarName({ ui, bar, href }: { ui: Ui; bar: TimelineBar; href: string }) {
  const { play, task } = bar;
  const name = task ? taskName(task) : ui.t("timeline.play", { name: visible(play.name) });
  return (
    <a
      class={`clamp ${task ? "timeline-task" : "timeline-play"}`}
      aria-current="false"
      href={href}
      title={name}
      data-stay
    >
      {name}
    </a>
  );
}

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
const TimeAxis = ({ ui, totalMs, class: more = "" }: AxisProps) => (
  <svg class={`time-axis ${more}`} width="100%" height={HEIGHT} aria-hidden="true">
    <text x="0" y="14">0</text>
    {axisLabels(totalMs, ui.exactDuration).map(([tick, text]) => (
      <text x={percent(tick, totalMs)} y="14" text-anchor={anchorOf(tick / totalMs)}>{text}</text>
    ))}
  </svg>
);

/** A label near the end of the axis ends at its tick, and all others are centered on it. */
const anchorOf = (part: number) => part > 0.9 ? "end" : "middle";

interface TimeBarProps {
  ui: Ui;
  bar: TimelineBar;
  totalMs: number;
  href: string;
}

/** A bar on the time axis: start and duration. */
function TimeBar({ ui, bar, totalMs, href }: TimeBarProps) {
  const { task, fromMs, ms, status, isRunning } = bar;
  const look = isRunning ? "timeline-running" : `result-${status ?? "skipped"}`;
  const began = ui.t("timeline.began", { after: ui.exactDuration(fromMs) });
  return (
    <>
      <span class="sr-only">{began}</span>
      <svg class="time-bar" width="100%" height={HEIGHT} aria-hidden="true">
        {axisTicks(totalMs).map((tick) => (
          <line x1={percent(tick, totalMs)} x2={percent(tick, totalMs)} y1="0" y2={HEIGHT} />
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
