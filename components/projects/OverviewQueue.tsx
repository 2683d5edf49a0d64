import type { QueueOverview } from "../../lib/queue/overview.ts";
import { listed, Sentence } from "../ui/Sentence.tsx";
import { StatusChip } from "../ui/StatusChip.tsx";
import { Duration } from "../ui/Time.tsx";
import { RunName } from "./HistoryTable.tsx";
import { OverviewPart, type PartProps } from "./OverviewPart.tsx";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { Progress } from "../../lib/tasks/progress.ts";

export function Running({ items, count, ...props }: PartProps & QueueOverview["running"]) {
  const { ui, query, now } = props;
  return (
    <OverviewPart
      {...props}
      name="running"
      count={count}
      shown={items.length}
      statuses={["starting", "running", "stopping"]}
    >
      {items.map(({ task, progress }) => (
        <li id={`running-${task.id}`}>
          <RunName ui={ui} task={task} query={query} />
          <span class="overview-facts">
            {task.status === "running"
              ? <RunProgress ui={ui} id={task.id} progress={progress} />
              : <StatusChip ui={ui} status={task.status} />}
            <Duration ui={ui} start={task.start} end={null} now={now} />
          </span>
        </li>
      ))}
    </OverviewPart>
  );
}

type Waits = QueueOverview["waiting"];

export function Waiting({ items, count, ...props }: PartProps & Waits) {
  return (
    <OverviewPart
      {...props}
      name="waiting"
      count={count}
      shown={items.length}
      statuses={["waiting", "confirmed"]}
    >
      {items.map((item) => (
        <li id={`waiting-${item.task.id}`}>
          <RunName ui={props.ui} task={item.task} query={props.query} />
          <span class="overview-facts">
            <Reason {...props} {...item} />
          </span>
        </li>
      ))}
    </OverviewPart>
  );
}

/** The reason why a task waits, with a link to the task that blocks it, if there is one. */
function Reason({ ui, query, blocked }: PartProps & Waits["items"][number]) {
  if (!blocked) return <span>{ui.t("overview.starts_now")}</span>;
  if (blocked.by === "server") return <span>{ui.t("overview.behind.server")}</span>;
  const limit = blocked.by === "project" ? blocked.limit : 1;
  const log = (id: number) => {
    const over = new URLSearchParams(query);
    over.set("t", String(id));
    return `?${over}`;
  };
  const links = blocked.behind.slice(0, BEHIND).map(({ id }) => (
    <a href={log(id)} data-over>{`#${id}`}</a>
  ));
  return (
    <span>
      <Sentence
        ui={ui}
        of={`overview.behind.${blocked.by}`}
        params={{ count: limit }}
        parts={{ tasks: listed(ui, links) }}
      />
    </span>
  );
}

/** Number of blocking tasks that are named. */
const BEHIND = 3;

interface RunProgressProps {
  ui: Ui;
  /** The task's id. */
  id: number;
  progress: Progress;
}

/** Progress of a task. If the total is unknown, only the completed part is shown. */
function RunProgress(
  { ui, id, progress: { done, of } }: RunProgressProps,
) {
  const text = of === null
    ? ui.t("overview.done", { count: done })
    : ui.t("overview.done_of", { count: done, of });
  return (
    <span class="run-progress">
      {of !== null && (
        <progress id={`progress-${id}`} value={done} max={of} aria-label={`#${id}: ${text}`} />
      )}
      <span title={of === null ? ui.t("overview.no_measure") : ui.t("overview.measure")}>
        {text}
      </span>
    </span>
  );
}
