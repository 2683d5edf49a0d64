import { taskTitle } from "./task_setting.ts";
import { Breadcrumb, PageHeader, Title } from "@/components/ui/Page.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Shell } from "@/lib/web/shell.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";

/** The header of a task's pages. */
export function TaskHead({ ui, shell, task }: { ui: Ui; shell: Shell; task: TaskView }) {
  const template = paths.template(task.project_id, task.template_id);
  const status = ui.t(`tasks.status.${task.status}`);
  return (
    <>
      <Title ui={ui} parts={taskTitle(task, status, shell.project.name)} />
      <PageHeader
        title={ui.t("tasks.title", { id: task.id })}
        above={
          <Breadcrumb
            ui={ui}
            crumbs={[
              {
                label: ui.t("templates.title"),
                href: ui.href(paths.section(shell.project.id, "templates")),
              },
              { label: task.tpl_alias, href: ui.href(template) },
            ]}
          />
        }
      />
      {task.message && <p>{visible(task.message)}</p>}
    </>
  );
}
