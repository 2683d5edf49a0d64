import { checksHref, ScheduleLink, scheduleName, scheduleWords, zoneOf } from "./ScheduleCell.tsx";
import { ChangeLinks } from "@/components/ui/lists/ChangeLinks.tsx";
import { Dash, Name, NameLink } from "@/components/ui/lists/cells.tsx";
import { actionsColumn, nameColumn } from "@/components/ui/lists/columns.tsx";
import { EndReason } from "@/components/tasks/EndReason.tsx";
import { briefLook, Reason } from "@/components/ui/Reason.tsx";
import { StatusChip } from "@/components/ui/StatusChip.tsx";
import { arrangeRows, type ListColumn } from "@/components/ui/lists/arrange_rows.ts";
import type { ListPage } from "@/lib/base/lists/pages.ts";
import type { TableState } from "@/lib/base/lists/table_state.ts";
import { PlannedTime, Time } from "@/components/ui/Time.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { isHostFailure } from "@/lib/tasks/reason.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import type { RunView } from "@/lib/workflows/run_schema.ts";
import type { ScheduleView } from "@/lib/triggers/schedules/schema.ts";
import { Icon } from "@/components/ui/Icon.tsx";
import { StepState } from "@/components/ui/StepState.tsx";

interface ScheduleColumnsProps {
  ui: Ui;
  mayChange: boolean;
  /** The template that the list is about; null for all. */
  templateId: number | null;
  /** The latest tasks of the schedules, by id. */
  tasks: Map<number, TaskView>;
  /** The same for runs of workflows. */
  runs: Map<number, RunView>;
}

/** Name of a schedule in a list that shows its times beside it. */
const listedName = (ui: Ui, { name, set_by, tpl_name }: ScheduleView): string =>
  name || (set_by ? ui.t("tasks.trigger.check") : tpl_name);

const hrefOf =
  (ui: Ui, templateId: number | null) =>
  ({ project_id, id }: ScheduleView, part?: "/delete" | "/active") =>
    ui.href(paths.schedule(project_id, id, templateId, part));

/** The columns of a list of schedules. People who can change them get a switch, edit and delete. */
export function scheduleColumns(props: ScheduleColumnsProps): ListColumn<ScheduleView>[] {
  const { ui, mayChange, templateId, tasks, runs } = props;
  const href = hrefOf(ui, templateId);
  const shown: ListColumn<ScheduleView>[] = [
    nameColumn(ui, "schedules.schedule", (schedule) => listedName(ui, schedule), {
      cell: (schedule) => (
        <div class="clamp">
          <ScheduleLink
            ui={ui}
            schedule={schedule}
            name={listedName(ui, schedule)}
            isCheckName={!schedule.name && schedule.set_by !== null}
            href={mayChange ? checksHref(ui, schedule) ?? href(schedule) : null}
          />
        </div>
      ),
    }),
    {
      id: "when",
      label: ui.t("schedules.when"),
      kind: "text",
      value: (schedule) => scheduleWords(ui, schedule),
      cell: (schedule) => <Name text={scheduleWords(ui, schedule) ?? schedule.cron_format} />,
    },
    {
      label: ui.t("schedules.timezone"),
      kind: "text",
      cell: (schedule) => <Name text={zoneOf(schedule)} />,
    },
    {
      id: "template",
      label: ui.t("schedules.starts"),
      kind: "text",
      value: ({ tpl_name }) => tpl_name,
      cell: ({ project_id, tpl_name, ...target }) => (
        <NameLink text={tpl_name} href={ui.href(paths.startTarget(project_id, target))} />
      ),
    },
    {
      id: "next_run",
      label: ui.t("schedules.next_run"),
      value: ({ next_runs: [at] }) => at ? Date.parse(at) : null,
      cell: (schedule) => <NextRun {...{ ui, schedule }} />,
    },
    {
      id: "last_run",
      label: ui.t("schedules.last_run"),
      value: ({ last_task_id }) => last_task_id,
      usual: "desc",
      kind: "text",
      cell: (schedule) => <LastRun {...{ ui, schedule, tasks, runs }} />,
    },
  ];
  if (!mayChange) {
    return [...shown, {
      label: ui.t("schedules.active"),
      cell: ({ active }) => ui.t(active ? "schedules.on" : "schedules.off"),
    }];
  }
  return [...shown, actionsOf(props)];
}

/** Returns the page of a list of schedules, before their tasks and runs are known. */
export const shownSchedules = (
  ui: Ui,
  schedules: readonly ScheduleView[],
  state: TableState,
): ListPage<ScheduleView> => {
  const unknown = { mayChange: false, templateId: null, tasks: new Map(), runs: new Map() };
  return arrangeRows(schedules, scheduleColumns({ ui, ...unknown }), state, ui.language).shown;
};

function actionsOf({ ui, templateId }: ScheduleColumnsProps): ListColumn<ScheduleView> {
  const href = hrefOf(ui, templateId);
  return actionsColumn(ui, (schedule) => {
    const name = scheduleName(ui, schedule);
    if (schedule.set_by) return <Dash />;
    return (
      <div class="schedule-actions">
        <ActiveSwitch
          ui={ui}
          name={name}
          isOn={schedule.active}
          action={href(schedule, "/active")}
        />
        <ChangeLinks
          ui={ui}
          name={name}
          remove={href(schedule, "/delete")}
          edit={href(schedule)}
          over
        />
      </div>
    );
  });
}

function NextRun({ ui, schedule }: { ui: Ui; schedule: ScheduleView }) {
  const [at] = schedule.next_runs;
  if (!at) {
    const reason = schedule.active ? "schedules.never_again" : "schedules.inactive";
    return <span class="text-muted">{ui.t(reason)}</span>;
  }
  return (
    <div class="schedule-next">
      <span title={ui.minute(at)}>{ui.relativeTime(at)}</span>
      <div class="schedule-more">
        <PlannedTime ui={ui} at={at} />
      </div>
    </div>
  );
}

function LastRun(
  { ui, schedule, tasks, runs }:
    & { ui: Ui; schedule: ScheduleView }
    & Pick<ScheduleColumnsProps, "tasks" | "runs">,
) {
  const { project_id, last_task_id, last_run_id, workflow_id, last_error, last_error_at } =
    schedule;
  if (last_error) {
    const reason = ui.tell(last_error);
    return (
      <div class="clamp">
        <span class="text-danger" title={reason}>{reason}</span> <Time ui={ui} at={last_error_at} />
      </div>
    );
  }
  if (workflow_id !== null) {
    if (last_run_id === null) return <Dash />;
    const run = runs.get(last_run_id);
    if (!run) return <span class="text-muted">{ui.t("schedules.run_gone")}</span>;
    return (
      <>
        <a href={ui.href(paths.workflowRun(project_id, workflow_id, run.id))}>
          <StepState ui={ui} state={run.status} /> <Time ui={ui} at={run.created} />
        </a>
        {run.reason && (
          <Reason ui={ui} reason={run.reason} brief class={briefLook(run.status === "failed")} />
        )}
      </>
    );
  }
  if (last_task_id === null) return <Dash />;
  const task = tasks.get(last_task_id);
  if (!task) return <span class="text-muted">{ui.t("schedules.task_gone")}</span>;
  const isOfDrift = isPartOfDrift(task);
  return (
    <>
      <a href={ui.href(paths.task(project_id, task.template_id, task.id))}>
        {isOfDrift
          ? <span class="clamp">{ui.tell(task.end_reason)}</span>
          : <StatusChip ui={ui} status={task.status} />} <Time ui={ui} at={task.created} />
      </a>
      {!isOfDrift && <EndReason ui={ui} task={task} brief />}
    </>
  );
}

/** Whether a check failed on hosts, which the pages about drift show with their states. */
const isPartOfDrift = ({ check, end_reason }: TaskView): boolean =>
  check && typeof end_reason === "object" && isHostFailure(end_reason);

interface ActiveSwitchProps {
  ui: Ui;
  /** Name of the schedule. */
  name: string;
  isOn: boolean;
  /** Address that the switch is sent to. */
  action: string;
}

/** Whether a schedule is active. A button that saves immediately and needs no script. */
function ActiveSwitch({ ui, name, isOn, action }: ActiveSwitchProps) {
  const label = ui.t("schedules.active_named", { name });
  return (
    <form method="post" action={action} data-stay>
      <button
        type="submit"
        role="switch"
        aria-checked={isOn ? "true" : "false"}
        aria-label={label}
        title={label}
        name="active"
        value={String(!isOn)}
        class="toggle"
      >
        <span class="toggle-knob">{isOn && <Icon name="check" />}</span>
        {/* For browsers that draw no boxes. */}
        <span class="sr-only">{ui.t(isOn ? "schedules.on" : "schedules.off")}</span>
      </button>
    </form>
  );
}
