import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { visible } from "../../lib/i18n/visible.ts";
import type { TaskView } from "../../lib/tasks/schema.ts";
import { TaskVersion } from "../tasks/TaskTable.tsx";
import { TypeIcon } from "../templates/TypeIcon.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { StatusChip } from "../ui/StatusChip.tsx";
import { Name } from "../ui/cells.tsx";
import { type Column, type News, Table, TableRow } from "../ui/Table.tsx";
import { Duration, Time } from "../ui/Time.tsx";

interface HistoryProps {
  ui: Ui;
  now: Date;
  /** The page's query without its `t`: a task's log opens over the same rows. */
  query: URLSearchParams;
}

interface HistoryTableProps extends HistoryProps {
  tasks: TaskView[];
  /** Where new rows come, on the page of the newest. */
  live?: { id: string; limit: number };
}

/** The runs of a whole project, newest first. */
export function HistoryTable({ tasks, live, ...props }: HistoryTableProps) {
  const { ui } = props;
  return (
    <Table
      caption={ui.t("tasks.history")}
      rows={tasks}
      rowId={rowId}
      live={live}
      empty={
        <EmptyState icon="dashboard" title={ui.t("dashboard.empty.title")}>
          {ui.t("dashboard.empty.text")}
        </EmptyState>
      }
      columns={columnsOf(props)}
    />
  );
}

/** One run, to be merged into a page that shows others. */
export function HistoryRow(
  { task, news, ...props }: HistoryProps & { task: TaskView; news: News },
) {
  return <TableRow row={task} rowId={rowId} columns={columnsOf(props)} news={news} />;
}

const rowId = ({ id }: TaskView) => `task-${id}`;

const columnsOf = ({ ui, now, query }: HistoryProps): Column<TaskView>[] => [
  {
    label: ui.t("tasks.task"),
    kind: "main",
    cell: (task) => <HistoryTask ui={ui} task={task} query={query} />,
  },
  { label: ui.t("tasks.version"), cell: (task) => <TaskVersion ui={ui} task={task} /> },
  {
    label: ui.t("tasks.status_label"),
    cell: ({ status }) => <StatusChip ui={ui} status={status} />,
  },
  { label: ui.t("tasks.user"), cell: ({ user_name }) => <Name text={user_name} /> },
  { label: ui.t("tasks.start"), cell: ({ start }) => <Time ui={ui} at={start} now={now} /> },
  {
    label: ui.t("tasks.duration"),
    cell: ({ start, end }) => <Duration ui={ui} start={start} end={end} now={now} />,
  },
];

function HistoryTask(
  { ui, task, query }: { ui: Ui; task: TaskView; query: URLSearchParams },
) {
  const { id, project_id, template_id, tpl_alias, tpl_type, message } = task;
  const log = new URLSearchParams(query);
  log.set("t", String(id));
  return (
    <div class="flex items-baseline gap-2">
      <TypeIcon ui={ui} type={tpl_type} />
      <div class="min-w-0">
        <a href={`?${log}`} data-over>{`#${id}`}</a>{" "}
        <a class="font-semibold" href={ui.href(paths.template(project_id, template_id))}>
          {tpl_alias}
        </a>
        {message && <div class="clamp text-muted text-sm">{visible(message)}</div>}
      </div>
    </div>
  );
}
