import { paths } from "../../lib/base/paths.ts";
import type { StartedTask } from "../../lib/tasks/initiators.ts";
import { type DayRuns, successRate } from "../../lib/tasks/trends/schema.ts";
import type { FailingSchedule } from "../../lib/triggers/schedules/failing.ts";
import type { NextRun } from "../../lib/triggers/schedules/next_runs.ts";
import type { RunView } from "../../lib/workflows/run_schema.ts";
import { RunReason } from "../workflows/RunReason.tsx";
import { RunTitle } from "../workflows/RunTable.tsx";
import { EndReason } from "../tasks/EndReason.tsx";
import { againLabel } from "../tasks/TypeIcon.tsx";
import { DaysTrend, showsTrend } from "../trends/DaysTrend.tsx";
import { Button, IconLink } from "../ui/Button.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Sentence } from "../ui/Sentence.tsx";
import { ComingTime, Time } from "../ui/Time.tsx";
import { outputOver, RunName } from "./HistoryTable.tsx";
import { MoreRuns } from "./OverviewRuns.tsx";
import { MoreTasks, OverviewState, type PartProps } from "./OverviewState.tsx";

/** Number of failed tasks shown, of failed runs, and of failing schedules. */
const FAILED = 5;

interface FailedProps extends PartProps {
  /** The latest failed tasks, and whether there are older ones. */
  failed: { tasks: StartedTask[]; hasNext: boolean };
  failing: FailingSchedule[];
  /** Failed runs of workflows, and others. */
  runs: { failed: RunView[] };
  since: number;
}

/**
 * Failing schedules until they succeed, and failed runs of workflows and failed tasks until they
 * are seen. The tasks of a failed run are part of it.
 */
export function Failed({ failed, failing, runs, since, ...props }: FailedProps) {
  const { ui, projectId, now } = props;
  const ofSchedules = new Set(failing.map(({ task }) => task?.id));
  const isNews = ({ end }: { end: string | null }) => end !== null && Date.parse(end) > since;
  const newRuns = runs.failed.filter(isNews);
  const ofRuns = new Set(newRuns.map(({ id }) => id));
  const news = failed.tasks.filter((task) =>
    isNews(task) && !ofSchedules.has(task.id) && !ofRuns.has(task.workflow_run_id ?? 0)
  );
  const count = failing.length + newRuns.length + news.length;
  if (count === 0) return null;
  const isCutOff = failed.hasNext && failed.tasks.every(isNews);
  return (
    <OverviewState
      name="failed"
      icon="error"
      tone="danger"
      label={ui.t(isCutOff ? "overview.states.failed_more" : "overview.states.failed", { count })}
    >
      {news.length + newRuns.length > 0 && (
        <div class="overview-since">
          <span>
            <Sentence
              ui={ui}
              of="overview.since"
              parts={{ time: <Time ui={ui} at={new Date(since).toISOString()} now={now} /> }}
            />
          </span>
          <form method="post" action={ui.href(paths.failuresSeen(projectId))} data-stay>
            <Button kind="quiet" icon="check">{ui.t("overview.seen")}</Button>
          </form>
        </div>
      )}
      <ul>
        {failing.slice(0, FAILED).map((schedule) => (
          <FailingRow key={schedule.id} {...props} schedule={schedule} />
        ))}
        {newRuns.slice(0, FAILED).map((run) => <FailedRun key={run.id} {...props} run={run} />)}
        {news.slice(0, FAILED).map((task) => <FailedRow key={task.id} {...props} task={task} />)}
      </ul>
      <MoreRuns {...props} count={newRuns.length - FAILED} status={["failed"]} />
      {failing.length > FAILED && (
        <p class="m-0">
          <a href={ui.href(paths.schedules(projectId))}>
            {ui.t("overview.more_schedules", { count: failing.length - FAILED })}
          </a>
        </p>
      )}
      <MoreTasks {...props} count={news.length - FAILED} statuses={["error"]} />
    </OverviewState>
  );
}

const FailedRun = ({ ui, now, run }: PartProps & { run: RunView }) => (
  <li id={`failed-run-${run.id}`}>
    <RunTitle ui={ui} run={run} isMixed />
    <span class="overview-facts">
      <RunReason ui={ui} run={run} brief />
      <Time ui={ui} at={run.end} now={now} />
    </span>
  </li>
);

function FailedRow({ ui, projectId, query, mayRun, now, task }: PartProps & { task: StartedTask }) {
  return (
    <li id={`failed-${task.id}`}>
      <RunName ui={ui} task={task} query={query} toOutput />
      <span class="overview-facts">
        <FailureReason ui={ui} task={task} query={query} />
        <Time ui={ui} at={task.end} now={now} />
      </span>
      {mayRun && (
        <IconLink
          icon="rerun"
          label={ui.labelled(againLabel(ui, task.tpl_type), `#${task.id}`)}
          href={ui.href(paths.startTask(projectId, task.template_id, task.id))}
          over
        />
      )}
    </li>
  );
}

const FailureReason = (
  { ui, task, query }: Pick<PartProps, "ui" | "query"> & { task: StartedTask },
) => <EndReason ui={ui} task={task} output={outputOver(query, task)} brief />;

/** A failing schedule: its last task or run, or the reason why there was none. */
function FailingRow(
  { ui, projectId, query, now, schedule }: PartProps & { schedule: FailingSchedule },
) {
  const { id, name, target_name, workflow_id, task, run, error, at } = schedule;
  const reason = ui.tell(error ?? run?.end_reason ?? "");
  return (
    <li id={`failing-${id}`}>
      <div class="run-name">
        <Icon name="schedules" label={ui.t("schedules.failing")} class="text-danger" />
        <a
          class="clamp font-semibold"
          href={`${ui.href(paths.schedules(projectId))}#schedule-${id}`}
          title={name}
        >
          {name}
        </a>
        {task && <a href={outputOver(query, task)} data-over>{`#${task.id}`}</a>}
        {run && workflow_id && (
          <a href={ui.href(paths.workflowRun(projectId, workflow_id, run.id))}>{`#${run.id}`}</a>
        )}
        <span class="clamp text-muted" title={target_name}>{target_name}</span>
      </div>
      <span class="overview-facts">
        {reason && <span class="clamp text-danger" title={reason}>{reason}</span>}
        {task && <FailureReason ui={ui} task={task} query={query} />}
        <Time ui={ui} at={at} now={now} />
      </span>
    </li>
  );
}

interface ComingProps extends PartProps {
  runs: NextRun[];
  failing: FailingSchedule[];
}

/** Next runs of schedules. Those that fail are red. */
export function Coming({ runs, failing, ...props }: ComingProps) {
  const { ui, projectId, now } = props;
  const time = (at: string) => <ComingTime ui={ui} at={at} now={now} />;
  return (
    <OverviewState
      name="coming"
      icon="schedules"
      label={<Sentence ui={ui} of="overview.states.coming" parts={{ time: time(runs[0].at) }} />}
    >
      <ul>
        {runs.map(({ schedule_id, name, target_name, at, ...target }) => {
          const fails = failing.some(({ id }) => id === schedule_id);
          return (
            <li id={`coming-${schedule_id}`}>
              <span class="run-name">
                {fails && (
                  <Icon name="error" label={ui.t("schedules.failing")} class="text-danger" />
                )}
                <a
                  class={`clamp font-semibold ${fails ? "text-danger" : ""}`}
                  href={ui.href(paths.startTarget(projectId, target))}
                  title={target_name}
                >
                  {target_name}
                </a>
                {name && <span class="clamp text-muted" title={name}>{name}</span>}
              </span>
              <span class="overview-facts">
                {time(at)}
                <span class="overview-exact text-muted">{ui.minute(at)}</span>
              </span>
            </li>
          );
        })}
      </ul>
    </OverviewState>
  );
}

/** The chart of the project's days. */
export function Days({ ui, projectId, days }: PartProps & { days: DayRuns[] }) {
  if (!showsTrend(days)) return null;
  const rate = successRate(days);
  return (
    <OverviewState
      name="days"
      icon="activity"
      label={rate === null
        ? ui.t("trends.days")
        : ui.t("trends.went_well", { rate: ui.percent(rate) })}
    >
      <DaysTrend ui={ui} projectId={projectId} days={days} />
    </OverviewState>
  );
}
