import type { TaskSetting } from "./TaskFacts.tsx";
import { starterName } from "./StartedBy.tsx";
import { retryLabel } from "./RetryForm.tsx";
import { runnerWith } from "@/components/placement/runner_with.ts";
import { againLabel } from "@/components/tasks/TypeIcon.tsx";
import { isPlain } from "@/lib/approvals/rule.ts";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TaskAbout } from "@/lib/web/pages/task_about.ts";
import type { Retriable } from "@/lib/queue/again/retriable.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import { isFinished } from "@/lib/model/status.ts";

/** Returns the data of a task's header that is not part of the task. */
export function settingOf(
  ui: Ui,
  { task, initiator, inventory, branch, limit, labels, isComparable, retriable, here }: TaskAbout,
  mayRun: boolean,
): TaskSetting {
  const { id, project_id: projectId, template_id: templateId } = task;
  const { trigger } = initiator;
  const name = starterName(ui, initiator);
  const isPerson = trigger === "manual" || trigger === "api";
  return {
    initiator: isPerson ? name : ui.t(`tasks.starter_of.${trigger}`, { name }),
    inventory: inventory?.name ?? "",
    hosts: inventory?.hosts == null ? "" : ui.t("preview.on_hosts", { count: inventory.hosts }),
    branch,
    limit,
    place: runnerWith(ui, labels),
    isComparable,
    again: mayRun
      ? {
        text: againLabel(ui, task.tpl_type),
        href: ui.href(paths.startTask(projectId, templateId, id)),
      }
      : null,
    retry: mayRun ? retrySetting(ui, task, retriable) : null,
    isConfirmedHere: mayRun && (task.approval === null || isPlain(task.approval)),
    here,
  };
}

function retrySetting(
  ui: Ui,
  { status }: TaskView,
  retriable: Retriable | null,
): TaskSetting["retry"] {
  if (!isFinished(status)) return "unknown";
  return retriable && {
    text: retryLabel(ui, retriable.counts),
    isAsked: retriable.secrets.length > 0,
    latest: retriable.latest,
  };
}

/** Returns the parts of the document's title: "#12 Deploy shop", the status, and the project. */
export const taskTitle = (
  { id, tpl_alias }: TaskView,
  status: string,
  project: string,
): string[] => [`#${id} ${tpl_alias}`, status, project];
