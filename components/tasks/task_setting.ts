import type { TaskSetting } from "./TaskFacts.tsx";
import { starterHref, starterName } from "./StartedBy.tsx";
import { retryLabel } from "./RetryForm.tsx";
import { runnerWith } from "@/components/placement/runner_with.ts";
import { againLabel } from "@/components/tasks/TypeIcon.tsx";
import { type Noun, SECTION_OF } from "@/lib/base/nouns.ts";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TaskAbout } from "@/lib/web/pages/task_about.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import { isFinished } from "@/lib/model/status.ts";

/** Returns the data of a task's header that is not part of the task. */
export function settingOf(ui: Ui, about: TaskAbout, mayRun: boolean): TaskSetting {
  const { task, initiator, inventory, labels, retriable, mayManage, mayStop } = about;
  const { id, project_id: projectId, template_id: templateId } = task;
  const { trigger } = initiator;
  const name = starterName(ui, initiator);
  const isPerson = trigger === "manual" || trigger === "api";
  const used = (noun: Noun, thing: { id: number; name: string } | null, text = thing?.name) => ({
    text: text ?? "",
    href: thing && mayManage ? ui.href(paths.item(projectId, SECTION_OF[noun], thing.id)) : null,
  });
  const hosts = inventory?.hosts == null
    ? ""
    : ` (${ui.t("preview.on_hosts", { count: inventory.hosts })})`;
  return {
    initiator: {
      text: isPerson ? name : ui.t(`tasks.starter_of.${trigger}`, { name }),
      href: starterHref(ui, { ...task, initiator }),
    },
    inventory: used("inventories", inventory, inventory ? inventory.name + hosts : ""),
    environment: used("environments", about.environment),
    repository: used("repositories", about.repository),
    branch: about.branch,
    limit: about.limit,
    place: runnerWith(ui, labels),
    web: about.web,
    isComparable: about.isComparable,
    mayStop,
    again: mayRun
      ? {
        text: againLabel(ui, task.tpl_type),
        href: ui.href(paths.startTask(projectId, templateId, id)),
      }
      : null,
    retry: mayRun && retriable && isFinished(task.status)
      ? {
        text: retryLabel(ui, retriable.counts),
        isAsked: retriable.secrets.length > 0,
        latest: retriable.latest,
      }
      : null,
    here: about.here,
  };
}

/** Returns the parts of the document's title: "#12 Deploy shop", the status, and the project. */
export const taskTitle = (
  { id, tpl_alias }: TaskView,
  status: string,
  project: string,
): string[] => [`#${id} ${tpl_alias}`, status, project];
