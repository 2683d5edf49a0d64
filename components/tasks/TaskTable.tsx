import type { ComponentChildren } from "preact";
import { AttemptMark } from "./AttemptMark.tsx";
import { EndReason } from "./EndReason.tsx";
import { StartedBy } from "./StartedBy.tsx";
import { IconLink } from "@/components/ui/Button.tsx";
import { StatusChip, VersionIcon } from "@/components/ui/StatusChip.tsx";
import { Breakable, Dash, Name, WHOLE_MAX } from "@/components/ui/lists/cells.tsx";
import {
  actionsColumn,
  nameColumn,
  stateColumn,
  whenColumn,
} from "@/components/ui/lists/columns.tsx";
import {
  type Column,
  type News,
  Table,
  type TableProps,
  TableRow,
} from "@/components/ui/lists/Table.tsx";
import { Duration } from "@/components/ui/Time.tsx";
import { againLabel } from "@/components/tasks/TypeIcon.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import type { StartedTask } from "@/lib/tasks/initiators.ts";

/** A task, with the person or trigger that started it if that was loaded. */
type ShownTask = TaskView & Partial<StartedTask>;

interface RunsProps {
  ui: Ui;
  /** Address of the page without its `t`, because a task's log opens over it. */
  page: string;
  mayRun: boolean;
}

interface TaskTableProps extends RunsProps {
  tasks: ShownTask[];
  /** On the first page, the list that new tasks are added to. */
  live?: TableProps<ShownTask>["live"];
  empty?: ComponentChildren;
}

/** The tasks of one template, latest first. */
export const TaskTable = ({ tasks, live, empty, ...props }: TaskTableProps) => (
  <Table
    caption={props.ui.t("tasks.list")}
    rows={tasks}
    rowId={rowId}
    columns={columnsOf(props)}
    live={live}
    empty={empty}
  />
);

/** One task, to be merged into a page that shows others. */
export const RunRow = ({ task, news, ...props }: RunsProps & { task: ShownTask; news: News }) => (
  <TableRow row={task} rowId={rowId} columns={columnsOf(props)} news={news} />
);

const rowId = ({ id }: ShownTask) => `task-${id}`;

const columnsOf = ({ ui, page, mayRun }: RunsProps): Column<ShownTask>[] => [
  nameColumn(ui, "tasks.id", (task) => <TaskLink ui={ui} task={task} page={page} />),
  {
    label: ui.t("tasks.version"),
    kind: "text",
    cell: (task) => <TaskVersion ui={ui} task={task} hasIcon />,
  },
  stateColumn(ui, "tasks.status_label", ({ status }) => <StatusChip ui={ui} status={status} />),
  whenColumn(ui, "tasks.start", "start", { ticks: true, named: false }),
  { label: ui.t("tasks.author"), kind: "text", cell: (task) => <Author ui={ui} task={task} /> },
  {
    label: ui.t("tasks.duration"),
    cell: ({ start, end }) => <Duration ui={ui} start={start} end={end} />,
  },
  actionsColumn(ui, (task) => mayRun && <RerunLink ui={ui} task={task} />),
];

function Author({ ui, task: { initiator, ...task } }: { ui: Ui; task: ShownTask }) {
  return initiator
    ? <StartedBy ui={ui} task={{ ...task, initiator }} />
    : <Name text={ui.person(task)} />;
}

/** Link such as "#12" that opens the log over the page, with the reason and the message. */
function TaskLink({ ui, task, page }: { ui: Ui; task: TaskView; page: string }) {
  const message = visible(task.message);
  return (
    <div class={task.reason ? "run-name has-reason" : "run-name"}>
      <span class="run-title">
        <LogLink ui={ui} page={page} id={task.id} /> <AttemptMark ui={ui} task={task} />
      </span>{" "}
      <EndReason ui={ui} task={task} output={ui.href(paths.over(page, task.id))} brief />{" "}
      {message && <span class="clamp text-muted" title={message}>{message}</span>}
    </div>
  );
}

interface LogLinkProps {
  ui: Ui;
  page: string;
  id: number;
  /** Shown instead of the number. */
  children?: ComponentChildren;
}

/** Opens a log over the page. The target is not another page, but not the current one either. */
export const LogLink = ({ ui, page, id, children = `#${id}` }: LogLinkProps) => (
  <a href={ui.href(paths.over(page, id))} aria-current="false" data-over>{children}</a>
);

interface TaskVersionProps {
  ui: Ui;
  task: TaskView | null;
  id?: string;
  /** Whether an icon shows the result of the task. */
  hasIcon?: boolean;
}

/** Version of a build, or the build that a deploy uses, with a link to it. */
export function TaskVersion({ ui, task, id, hasIcon }: TaskVersionProps) {
  const build = task?.build_task;
  const name = build ? build.version ?? `#${build.id}` : task?.version;
  if (!task || !name) return <Dash id={id} />;
  const shown = <Breakable text={name} />;
  return (
    <span
      id={id}
      class={name.length > WHOLE_MAX ? "clamp parts" : "clamp parts whole"}
      title={name}
    >
      {hasIcon && <VersionIcon ui={ui} status={task.status} />}
      {hasIcon && " "}
      {build
        ? <a href={ui.href(paths.task(build.project_id, build.template_id, build.id))}>{shown}</a>
        : shown}
    </span>
  );
}

function RerunLink({ ui, task }: { ui: Ui; task: TaskView }) {
  const path = paths.startTask(task.project_id, task.template_id, task.id);
  return (
    <IconLink
      icon="rerun"
      label={ui.labelled(againLabel(ui, task.tpl_type), `#${task.id}`)}
      href={ui.href(path)}
      over
    />
  );
}
