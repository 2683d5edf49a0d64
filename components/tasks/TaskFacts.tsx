import type { ComponentChildren } from "preact";
import { EndReason } from "./EndReason.tsx";
import { Commands, DiffersLink, type TaskCommand } from "./TaskCommands.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { ButtonLink } from "@/components/ui/Button.tsx";
import { StatusChip } from "@/components/ui/StatusChip.tsx";
import { Dash } from "@/components/ui/cells.tsx";
import { Duration, Time } from "@/components/ui/Time.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import { isFinished, STATUSES } from "@/lib/tasks/status.ts";

/** Facts of a task that do not change while it runs. */
export interface TaskSetting {
  /** The person or trigger that started it. */
  initiator: string;
  inventory: string;
  /** Link that starts the task again; null for people who cannot run tasks. */
  again: { text: string; href: string } | null;
  /** The page that shows it, without sub-path. Commands return to it. */
  here: string;
}

interface TaskFactsProps {
  ui: Ui;
  task: TaskView;
  setting: TaskSetting;
  /** Carries out a command if there is a script. Otherwise its form is sent. */
  onCommand?(command: TaskCommand): void;
}

/** Locale keys of the component, for islands. */
export const TASK_FACTS_KEYS = [
  ...STATUSES.map((status) => `tasks.status.${status}`),
  ...["status_label", "started_by", "started", "duration", "commit", "stop", "force_stop"]
    .map((name) => `tasks.${name}`),
  ...["confirm", "confirm_question", "version", "inventory"].map((name) => `tasks.${name}`),
  ...["compare.link", "compare.link_failed"],
  ...["preview.review", "preview.reject", "preview.differs"],
];

/** Status and settings of a task, with the buttons that its status allows. */
export function TaskFacts({ ui, task, setting, onCommand }: TaskFactsProps) {
  const { end_reason, status, start, end, version, build_task, commit_hash } = task;
  const brought = build_task ? build_task.version ?? `#${build_task.id}` : version;
  return (
    <>
      {end_reason && (
        <Alert kind={status === "error" ? "danger" : "warning"} class="mb-3">
          <EndReason
            ui={ui}
            task={task}
            output={setting.here.includes("?") ? ui.href(setting.here) : undefined}
          />
        </Alert>
      )}
      <DiffersLink ui={ui} task={task} here={setting.here} />
      <div class="task-state">
        <dl class="task-facts">
          <Fact label={ui.t("tasks.status_label")}>
            <span role="status">
              <StatusChip ui={ui} status={status} />
            </span>
          </Fact>
          <Fact label={ui.t("tasks.started_by")}>{visible(setting.initiator) || <Dash />}</Fact>
          <Fact label={ui.t("tasks.started")}>
            <Time ui={ui} at={start} />
          </Fact>
          <Fact label={ui.t("tasks.duration")}>
            <Duration ui={ui} start={start} end={end} />
          </Fact>
          {brought && <Fact label={ui.t("tasks.version")}>{visible(brought)}</Fact>}
          {commit_hash && (
            <Fact label={ui.t("tasks.commit")}>
              <code>{commit_hash.slice(0, 10)}</code> {visible(task.commit_message)}
            </Fact>
          )}
          <Fact label={ui.t("tasks.inventory")}>{visible(setting.inventory) || <Dash />}</Fact>
        </dl>
        <div class="task-commands">
          {isFinished(status) && (
            <a href={ui.href(paths.compare(task.project_id, task.template_id, task.id))}>
              {ui.t(status === "error" ? "compare.link_failed" : "compare.link")}
            </a>
          )}
          {setting.again && (isFinished(status)
            ? (
              <ButtonLink icon="rerun" href={setting.again.href} over>
                {setting.again.text}
              </ButtonLink>
            )
            : <Commands ui={ui} task={task} here={setting.here} onCommand={onCommand} />)}
        </div>
      </div>
    </>
  );
}

const Fact = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);
