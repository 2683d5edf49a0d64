import { Alert } from "@/components/ui/Alert.tsx";
import { Button } from "@/components/ui/Button.tsx";
import { StatusChip } from "@/components/ui/StatusChip.tsx";
import { Dash } from "@/components/ui/cells.tsx";
import { Duration, Time } from "@/components/ui/Time.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import { isFinished, STATUSES } from "@/lib/tasks/status.ts";

interface TaskFactsProps {
  ui: Ui;
  task: TaskView;
  mayRun: boolean;
  now?: Date;
}

/** The locale keys of what is shown here, for islands. */
export const TASK_FACTS_KEYS = [
  ...STATUSES.map((status) => `tasks.status.${status}`),
  ...["status_label", "author", "started", "duration", "commit", "stop", "force_stop"]
    .map((name) => `tasks.${name}`),
  ...["confirm", "confirm_question"].map((name) => `tasks.${name}`),
];

/** How a task stands, and the buttons that its state allows. */
export function TaskFacts({ ui, task, mayRun, now }: TaskFactsProps) {
  return (
    <>
      {task.end_reason && <Alert kind="warning" class="mb-4">{task.end_reason}</Alert>}
      <dl class="task-facts">
        <div>
          <dt>{ui.t("tasks.status_label")}</dt>
          <dd>
            <span role="status">
              <StatusChip ui={ui} status={task.status} />
            </span>
          </dd>
        </div>
        <div>
          <dt>{ui.t("tasks.author")}</dt>
          <dd>{task.user_name ?? <Dash />}</dd>
        </div>
        <div>
          <dt>{ui.t("tasks.started")}</dt>
          <dd>
            <Time ui={ui} at={task.start} now={now} />
          </dd>
        </div>
        <div>
          <dt>{ui.t("tasks.duration")}</dt>
          <dd>
            <Duration ui={ui} start={task.start} end={task.end} now={now} />
          </dd>
        </div>
        {task.commit_hash && (
          <div>
            <dt>{ui.t("tasks.commit")}</dt>
            <dd>
              <code>{task.commit_hash.slice(0, 10)}</code> {visible(task.commit_message ?? "")}
            </dd>
          </div>
        )}
      </dl>
      {mayRun && !isFinished(task.status) && <Commands ui={ui} task={task} />}
    </>
  );
}

function Commands({ ui, task }: { ui: Ui; task: TaskView }) {
  const path = ui.href(paths.taskPage(task.project_id, task.id));
  const stopping = task.status === "stopping";
  const waits = task.status === "waiting_confirmation";
  return (
    <div class="task-commands mb-4">
      {waits && <p class="task-question">{ui.t("tasks.confirm_question")}</p>}
      {waits && (
        <form method="post" action={`${path}/confirm`}>
          <Button kind="primary" icon="check">{ui.t("tasks.confirm")}</Button>
        </form>
      )}
      <form method="post" action={`${path}/stop`}>
        {stopping && <input type="hidden" name="force" value="true" />}
        <Button kind="danger" icon="stopped">
          {ui.t(stopping ? "tasks.force_stop" : "tasks.stop")}
        </Button>
      </form>
    </div>
  );
}
