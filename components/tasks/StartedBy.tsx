import { triggerName } from "@/components/tasks/trigger_name.ts";
import { Icon, type IconName } from "@/components/ui/Icon.tsx";
import { Breakable, Dash } from "@/components/ui/lists/cells.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { StartedTask } from "@/lib/tasks/initiators.ts";

const ICONS: Record<StartedTask["initiator"]["trigger"], IconName> = {
  manual: "user",
  api: "keys",
  schedule: "waiting",
  integration: "integrations",
  autorun: "deploy",
  workflow: "workflows",
  drift: "drift",
  check: "drift",
};

/** The person or trigger that started a task, with a link if it still exists; on one line. */
export function StartedBy({ ui, task }: { ui: Ui; task: StartedTask }) {
  const { trigger } = task.initiator;
  const name = starterName(ui, task.initiator);
  const kind = ui.t(`tasks.trigger.${trigger}`);
  const text = task.initiator.hidden
    ? name
    : trigger === "autorun"
    ? afterText(ui, task)
    : trigger === "workflow"
    ? stepText(ui, task)
    : name;
  if (!text && trigger === "manual") return <Dash />;
  const href = starterHref(ui, task);
  const shown = <Breakable text={text || kind} />;
  return (
    <span class="clamp parts" title={[kind, text].filter(Boolean).join(": ")}>
      {trigger !== "manual" && <Icon name={ICONS[trigger]} label={kind} class="text-muted" />}{" "}
      {href ? <a href={href}>{shown}</a> : shown}
    </span>
  );
}

/** Returns the name of the person or trigger that started a task. */
export const starterName = (
  ui: Ui,
  { person, trigger, name, hidden }: StartedTask["initiator"],
): string => {
  if (hidden) return ui.t(trigger === "workflow" ? "workflows.hidden" : "workflows.hidden_build");
  return person ? ui.person(person) : triggerName(ui, trigger, name);
};

const afterText = (ui: Ui, { build_task, initiator: { name } }: StartedTask) =>
  build_task ? ui.t("tasks.after", { name: build_task.tpl_alias, id: build_task.id }) : name;

const stepText = (
  ui: Ui,
  { workflow_run_id: run, workflow_step_id: step, initiator: { name } }: StartedTask,
) => run === null ? name : ui.t("tasks.of_run", { name, run, step: step ?? "" });

/** Returns the page of the trigger that started a task, while it exists. */
export function starterHref(
  ui: Ui,
  { project_id, template_id, build_task, workflow_run_id, initiator }: StartedTask,
) {
  if (initiator.trigger === "autorun") {
    return build_task &&
      ui.href(paths.task(build_task.project_id, build_task.template_id, build_task.id));
  }
  if (initiator.id === null) return null;
  if (initiator.trigger === "workflow" && workflow_run_id !== null) {
    return ui.href(paths.workflowRun(project_id, initiator.id, workflow_run_id));
  }
  return initiator.trigger === "integration"
    ? ui.href(paths.integration(project_id, initiator.id))
    : ui.href(paths.template(project_id, template_id));
}
