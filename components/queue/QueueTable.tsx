import { Button } from "@/components/ui/Button.tsx";
import { Dash, Name } from "@/components/ui/lists/cells.tsx";
import { actionsColumn, nameColumn, stateColumn } from "@/components/ui/lists/columns.tsx";
import { EmptyState } from "@/components/ui/lists/EmptyState.tsx";
import { briefLook, Reason } from "@/components/ui/Reason.tsx";
import { StatusChip } from "@/components/ui/StatusChip.tsx";
import { Table } from "@/components/ui/lists/Table.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { QueuedTask } from "@/lib/tasks/schema.ts";

/** Unfinished tasks of all projects, oldest first, each with a button that stops it. */
export function QueueTable({ ui, tasks }: { ui: Ui; tasks: QueuedTask[] }) {
  const action = ui.href(paths.queue());
  return (
    <Table<QueuedTask>
      caption={ui.t("queue.title")}
      rows={tasks}
      rowId={({ task_id }) => `task-${task_id}`}
      empty={<EmptyState icon="success" title={ui.t("queue.empty")} />}
      columns={[
        nameColumn(
          ui,
          "queue.task",
          ({ task_id, project_id, template_id, template_name, reason }) => (
            <span class={reason ? "run-name has-reason" : "run-name"}>
              <a href={ui.href(paths.task(project_id, template_id, task_id))}>{`#${task_id}`}</a>
              {" "}
              <Name text={template_name} />{" "}
              {reason && <Reason ui={ui} reason={reason} brief class={briefLook(false)} />}
            </span>
          ),
        ),
        stateColumn(
          ui,
          "tasks.status_label",
          ({ status }) => <StatusChip ui={ui} status={status} />,
        ),
        {
          label: ui.t("queue.project"),
          kind: "text",
          cell: ({ project_id, project_name }) => (
            <a href={ui.href(paths.project(project_id))}>
              <Name text={project_name} />
            </a>
          ),
        },
        {
          label: ui.t("tasks.author"),
          kind: "text",
          cell: ({ username }) => username || <Dash />,
        },
        actionsColumn(ui, ({ task_id: id, status }) =>
          status !== "stopping" && (
            <form method="post" action={action} data-stay>
              <Button name="task" value={id} icon="stopped">
                {ui.t("tasks.stop")}
                <span class="sr-only">{` #${id}`}</span>
              </Button>
            </form>
          )),
      ]}
    />
  );
}
