import { WaitReason } from "@/components/placement/WaitReason.tsx";
import { Icon } from "@/components/ui/Icon.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { Wait } from "@/lib/queue/waiting/overview.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";

interface TaskWaitProps {
  ui: Ui;
  task: Pick<TaskView, "id" | "project_id">;
  /** Null for a task that does not wait. */
  wait: Wait | null;
  now: Date;
}

/** The reason why a task waits, up to date. It is empty and asks for no events otherwise. */
export function TaskWait({ ui, task: { id, project_id: projectId }, wait, now }: TaskWaitProps) {
  return (
    <div id="task-wait" data-live={wait ? ui.href(paths.taskWait(projectId, id)) : undefined}>
      {wait && (
        <p class="task-waits">
          <Icon name="waiting" class="mt-0.5 text-muted" />
          <WaitReason
            ui={ui}
            now={now}
            blocked={wait.blocked}
            link={(task) => (
              <a href={ui.href(paths.taskPage(projectId, task.id))}>{`#${task.id}`}</a>
            )}
          />
        </p>
      )}
    </div>
  );
}
