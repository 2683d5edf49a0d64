import { Icon } from "@/components/ui/Icon.tsx";
import { Sentence } from "@/components/ui/Sentence.tsx";
import { StatusChip } from "@/components/ui/StatusChip.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { RetryTask } from "@/lib/queue/retry.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";

interface TaskRetriesProps {
  ui: Ui;
  task: TaskView;
  /** The tasks that repeat it. */
  retries: RetryTask[];
}

/** The task that a task repeats, and the tasks that repeat it. Renders nothing without any. */
export function TaskRetries({ ui, task, retries }: TaskRetriesProps) {
  const { project_id: projectId, template_id: templateId, retry_of, retry } = task;
  if (!retry && retries.length === 0) return null;
  const link = (id: number) => <a href={ui.href(paths.taskPage(projectId, id))}>{`#${id}`}</a>;
  return (
    <div id="task-retries" class="task-retries">
      {retry_of !== null && retry && (
        <p>
          <Icon name="rerun" class="text-muted" />{" "}
          <Sentence
            ui={ui}
            of="retry.repeats"
            params={{ count: retry.of, hosts: ui.number(retry.hosts) }}
            parts={{ task: link(retry_of) }}
          />{" "}
          {retry.start_at_task !== null && (
            <>{ui.t("retry.started_at", { task: visible(retry.start_at_task) })}{" "}</>
          )}
          <a href={ui.href(paths.compare(projectId, templateId, task.id, retry_of))}>
            {ui.t("retry.compare")}
          </a>
        </p>
      )}
      {retries.length > 0 && (
        <p>
          <Icon name="rerun" class="text-muted" /> {ui.t("retry.repeated_by")} {retries.map(
            ({ id, status }) => (
              <span key={id} class="task-retry">
                {link(id)} <StatusChip ui={ui} status={status} />
                {" "}
              </span>
            ),
          )}
        </p>
      )}
    </div>
  );
}
