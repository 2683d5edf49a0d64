import type { QueueOverview, Waiting as TasksWaiting } from "../../lib/queue/waiting/overview.ts";
import { WaitReason } from "../placement/WaitReason.tsx";
import { EndReason } from "../tasks/EndReason.tsx";
import { StatusChip } from "../ui/StatusChip.tsx";
import { Duration } from "../ui/Time.tsx";
import { outputOver, RunName } from "./HistoryTable.tsx";
import { MoreTasks, OverviewState, type PartProps } from "./OverviewState.tsx";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { Progress } from "../../lib/tasks/progress.ts";

export function Running({ items, count, ...props }: PartProps & QueueOverview["running"]) {
  const { ui, query, now } = props;
  return (
    <OverviewState
      name="running"
      icon="running"
      label={ui.t("overview.states.running", { count })}
    >
      <ul>
        {items.map(({ task, progress }) => (
          <li id={`running-${task.id}`}>
            <RunName ui={ui} task={task} query={query} />
            <span class="overview-facts">
              {task.status === "running"
                ? <RunProgress ui={ui} id={task.id} progress={progress} />
                : <StatusChip ui={ui} status={task.status} />}
              <EndReason ui={ui} task={task} output={outputOver(query, task)} brief />
              <Duration ui={ui} start={task.start} end={null} now={now} />
            </span>
          </li>
        ))}
      </ul>
      <MoreTasks
        {...props}
        count={count - items.length}
        statuses={["starting", "running", "stopping"]}
      />
    </OverviewState>
  );
}

export function Waiting({ items, count, ...props }: PartProps & QueueOverview["waiting"]) {
  const { ui } = props;
  const shown = items.reduce((sum, { tasks }) => sum + tasks.length, 0);
  return (
    <OverviewState
      name="waiting"
      icon="waiting"
      label={ui.t("overview.states.waiting", { count })}
    >
      <ul>
        {items.map((group, n) => <WaitingTasks key={n} {...props} {...group} />)}
      </ul>
      <MoreTasks {...props} count={count - shown} statuses={["waiting", "confirmed"]} />
    </OverviewState>
  );
}

/** Tasks that wait for the same reason, which is said once: above them, or beside a single one. */
function WaitingTasks({ blocked, count, tasks, ...props }: PartProps & TasksWaiting) {
  const { ui, query, now } = props;
  const reason = (
    <WaitReason
      {...{ ui, now, blocked, count }}
      link={(task) => <a href={outputOver(query, task)} data-over>{`#${task.id}`}</a>}
    />
  );
  const isAlone = count === 1;
  return (
    <>
      {!isAlone && <li id={`waiting-behind-${tasks[0].id}`} class="overview-reason">{reason}</li>}
      {tasks.map((task) => (
        <li id={`waiting-${task.id}`} class={isAlone ? undefined : "overview-alike"}>
          <RunName ui={ui} task={task} query={query} />
          {isAlone && <span class="overview-facts">{reason}</span>}
        </li>
      ))}
    </>
  );
}

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
