import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { visible } from "../../lib/i18n/visible.ts";
import type { TaskView } from "../../lib/tasks/schema.ts";
import { TaskVersion } from "../tasks/TaskTable.tsx";
import { TypeIcon } from "../templates/TypeIcon.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { StatusChip } from "../ui/StatusChip.tsx";
import { Name } from "../ui/cells.tsx";
import { Table } from "../ui/Table.tsx";
import { Duration, Time } from "../ui/Time.tsx";

interface HistoryTableProps {
  ui: Ui;
  tasks: TaskView[];
  now: Date;
  /** The page's query without its `t`: a task's log opens over the same rows. */
  query: URLSearchParams;
}

/** The runs of a whole project, newest first. */
export function HistoryTable({ ui, tasks, now, query }: HistoryTableProps) {
  return (
    <Table
      caption={ui.t("tasks.list")}
      rows={tasks}
      rowId={({ id }) => `task-${id}`}
      empty={
        <EmptyState icon="dashboard" title={ui.t("dashboard.empty.title")}>
          {ui.t("dashboard.empty.text")}
        </EmptyState>
      }
      columns={[
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
      ]}
    />
  );
}

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
        <a href={`?${log}`}>{`#${id}`}</a>{" "}
        <a class="font-semibold" href={ui.href(paths.template(project_id, template_id))}>
          {tpl_alias}
        </a>
        {message && <div class="clamp text-muted text-sm">{visible(message)}</div>}
      </div>
    </div>
  );
}
