import type { ComponentChildren } from "preact";
import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { visible } from "../../lib/i18n/visible.ts";
import type { StartedTask } from "../../lib/tasks/initiators.ts";
import { isFinished } from "../../lib/model/status.ts";
import { AttemptMark } from "../tasks/AttemptMark.tsx";
import { EndReason } from "../tasks/EndReason.tsx";
import { RunnerLink } from "../tasks/RunnerLink.tsx";
import { StartedBy } from "../tasks/StartedBy.tsx";
import { TaskVersion } from "../tasks/TaskTable.tsx";
import { againLabel, TypeIcon } from "../tasks/TypeIcon.tsx";
import { IconLink } from "../ui/Button.tsx";
import { actionsColumn, nameColumn, stateColumn, whenColumn } from "../ui/lists/columns.tsx";
import { Chip } from "../ui/Chip.tsx";
import { StatusChip } from "../ui/StatusChip.tsx";
import { type Column, type News, Table, TableRow } from "../ui/lists/Table.tsx";
import { Duration } from "../ui/Time.tsx";

interface HistoryProps {
  ui: Ui;
  now: Date;
  /** The page's query without its `t`, because a task's log opens over the same rows. */
  query: URLSearchParams;
  mayRun: boolean;
  /** Global admins only. */
  mayDelete: boolean;
}

interface HistoryTableProps extends HistoryProps {
  tasks: StartedTask[];
  /** On the first page, the list that new rows are added to. */
  live?: { id: string; limit: number };
  /** Shown instead of the table if it is empty. */
  empty: ComponentChildren;
}

/** The tasks of a whole project, latest first. */
export function HistoryTable({ tasks, live, empty, ...props }: HistoryTableProps) {
  return (
    <Table
      caption={props.ui.t("tasks.history")}
      rows={tasks}
      rowId={rowId}
      live={live}
      empty={empty}
      columns={columnsOf(props)}
    />
  );
}

/** One task, to be merged into a page that shows others. */
export function HistoryRow(
  { task, news, ...props }: HistoryProps & { task: StartedTask; news: News },
) {
  return <TableRow row={task} rowId={rowId} columns={columnsOf(props)} news={news} />;
}

const rowId = ({ id }: StartedTask) => `task-${id}`;

function columnsOf(props: HistoryProps): Column<StartedTask>[] {
  const { ui, now, query } = props;
  return [
    nameColumn(ui, "tasks.task", (task) => (
      <RunName ui={ui} task={task} query={query}>
        {task.reason && <EndReason ui={ui} task={task} output={outputOver(query, task)} brief />}
      </RunName>
    )),
    {
      label: ui.t("tasks.version"),
      kind: "text",
      cell: (task) => <TaskVersion ui={ui} task={task} hasIcon />,
    },
    stateColumn(ui, "tasks.status_label", ({ status }) => <StatusChip ui={ui} status={status} />),
    {
      label: ui.t("tasks.started_by"),
      kind: "text",
      cell: (task) => <StartedBy ui={ui} task={task} />,
    },
    {
      label: ui.t("tasks.runner"),
      kind: "text",
      cell: (task) => <RunnerLink ui={ui} task={task} />,
    },
    whenColumn(ui, "tasks.start", "start", { now, ticks: true, named: false }),
    {
      label: ui.t("tasks.duration"),
      cell: ({ start, end }) => <Duration ui={ui} start={start} end={end} now={now} />,
    },
    actionsColumn(ui, (task) => <RowActions {...props} task={task} />),
  ];
}

interface RunNameProps {
  ui: Ui;
  task: StartedTask;
  query: URLSearchParams;
  /** Whether the template's name leads to the task's output, too. */
  toOutput?: boolean;
  children?: ComponentChildren;
}

/**
 * The task's number and template with links, its message, and `children`, on one line. In a list,
 * the reason of its status is always in view: a long name leaves the second line to it.
 */
export function RunName({ ui, task, query, toOutput = false, children }: RunNameProps) {
  const { id, project_id, template_id, tpl_alias, tpl_type } = task;
  const message = visible(task.message);
  return (
    <div class={children ? "run-name has-reason" : "run-name"}>
      <span class="run-title">
        <TypeIcon ui={ui} type={tpl_type} />{" "}
        <a href={outputOver(query, task)} data-over>{`#${id}`}</a>{" "}
        <a
          class="clamp font-semibold"
          href={toOutput
            ? outputOver(query, task)
            : ui.href(paths.template(project_id, template_id))}
          data-over={toOutput || undefined}
          title={tpl_alias}
        >
          {tpl_alias}
        </a>{" "}
        <AttemptMark ui={ui} task={task} />
        {task.check && (
          <>
            {" "}
            <Chip status="check" icon="drift" tone="neutral">{ui.t("drift.check_chip")}</Chip>
          </>
        )}
      </span>{" "}
      {children} {message && <span class="clamp text-muted" title={message}>{message}</span>}
    </div>
  );
}

/** Returns the link that opens a task's output over the page of its list. */
export function outputOver(query: URLSearchParams, { id }: { id: number }): string {
  const over = new URLSearchParams(query);
  over.set("t", String(id));
  return `?${over}`;
}

/** Run again and delete. A task that has not ended cannot be deleted. */
function RowActions(
  { ui, query, mayRun, mayDelete, task }: HistoryProps & { task: StartedTask },
) {
  const { id, project_id: projectId, template_id, tpl_type } = task;
  const again = againLabel(ui, tpl_type);
  const back = `${paths.section(projectId, "history")}?${query}`;
  return (
    <div class="row-actions">
      {mayRun && (
        <IconLink
          icon="rerun"
          label={ui.labelled(again, `#${id}`)}
          href={ui.href(paths.startTask(projectId, template_id, id))}
          over
        />
      )}
      {mayDelete && isFinished(task.status) && (
        <IconLink
          icon="delete"
          label={ui.t("actions.delete_named", { name: `#${id}` })}
          href={ui.href(paths.deleteTask(projectId, id, back))}
          over
        />
      )}
    </div>
  );
}
