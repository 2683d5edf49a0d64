import { Button, ButtonLink } from "@/components/ui/Button.tsx";
import { Menu } from "@/components/ui/Menu.tsx";
import { taskPaths } from "@/lib/base/task_paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";

/** Ways to repeat a finished task on hosts that failed. */
export interface RetrySetting {
  /** For example "Run again on the 3 failed hosts". */
  text: string;
  /** Whether secret answers have to be typed first. */
  isAsked: boolean;
  /** The latest retry of the task: see `makeOnce`. */
  latest: number;
}

/** Locale keys of the component, for islands. */
export const RETRY_KEYS = ["retry.options", "retry.with_latest", "lists.choose"];

/** Whether a retry can have another commit than the task. The build of a deploy decides it. */
export const hasCommitChoice = (task: TaskView): task is TaskView & { commit_hash: string } =>
  task.tpl_type !== "deploy" && Boolean(task.commit_hash);

interface RetryCommandsProps {
  ui: Ui;
  task: TaskView;
  /** Null if no host failed, and until that is known. */
  retry: RetrySetting | null;
}

/**
 * Repeats a task on hosts that failed: with one click, or from a menu with the latest commit, as
 * after a fix of the playbook, or with a form that asks how.
 */
export function RetryCommands({ ui, task, retry }: RetryCommandsProps) {
  const action = ui.href(taskPaths.retryTask(task.project_id, task.id));
  if (retry === null) return null;
  if (retry.isAsked) {
    return <ButtonLink kind="primary" icon="rerun" href={action} over>{retry.text}</ButtonLink>;
  }
  const options = ui.t("retry.options");
  return (
    <form method="post" action={action} data-stay>
      <input type="hidden" name="once" value={retry.latest} />
      <Button kind="primary" icon="rerun">{retry.text}</Button>
      {hasCommitChoice(task)
        ? (
          <Menu label={options}>
            <button type="submit" name="commit" value="latest">{ui.t("retry.with_latest")}</button>
            <a href={action} data-over>{ui.t("lists.choose")}</a>
          </Menu>
        )
        : <ButtonLink kind="quiet" href={action} over>{options}</ButtonLink>}
    </form>
  );
}
