import { TaskFacts } from "./TaskFacts.tsx";
import { Breadcrumb, PageHeader, Title } from "@/components/ui/Page.tsx";
import { paths } from "@/lib/http/paths.ts";
import type { Shell } from "@/lib/http/shell.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";

interface LogPageProps {
  ui: Ui;
  shell: Shell;
  task: TaskView;
  mayRun: boolean;
}

/** Where the lines go: an element that is nowhere else in a page. */
const MARK = '<b id="log-lines"></b>';

/** A task's page without any script. Its lines are put in while it is sent: see `splitAtLog`. */
export function LogPage({ ui, shell, task, mayRun }: LogPageProps) {
  const template = paths.template(task.project_id, task.template_id);
  const title = ui.t("tasks.title", { id: task.id });
  return (
    <>
      <Title ui={ui} parts={[title, task.tpl_alias, shell.project.name]} />
      <PageHeader
        title={title}
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
      <TaskFacts ui={ui} task={task} mayRun={mayRun} />
      <div class="log-box log-page" role="log" aria-label={ui.t("task_log.label")} tabIndex={0}>
        <b id="log-lines" />
      </div>
    </>
  );
}

/** The rendered page before and after its lines. */
export function splitAtLog(html: string): { before: string; after: string } {
  const [before, after] = html.split(MARK);
  return { before, after };
}
