import type { Ui } from "@/lib/i18n/ui.ts";
import { linksOf } from "@/lib/workflows/definition.ts";
import type { After, Step } from "@/lib/workflows/schema.ts";

/** Names of the templates and workflows that steps refer to, by id. */
export interface StepNames {
  templates: ReadonlyMap<number, string>;
  workflows: ReadonlyMap<number, string>;
}

/** A step with all its conditions. */
interface Linked {
  id: number;
  name: string;
  after: readonly After[];
  join: Step["join"];
}

/** Text of a condition beside a line of the graph; empty for the usual one. */
export const conditionText = (ui: Ui, when: After["when"]): string =>
  when === "success" ? "" : ui.t(`workflows.when_short.${when}`);

/** Returns the steps with their names and conditions as they are shown. */
export function shownSteps(ui: Ui, steps: readonly Step[], names: StepNames): Linked[] {
  const links = linksOf(steps);
  return steps.map((step) => ({
    id: step.id,
    name: stepName(ui, step, names),
    after: links.get(step.id) ?? [],
    join: step.join,
  }));
}

/** Returns the conditions of a step as text: "Build", "Build, if it fails". */
export function startText(ui: Ui, steps: readonly Linked[], { after, join }: Linked): string {
  if (after.length === 0) return ui.t("workflows.at_the_start");
  const names = new Map(steps.map(({ id, name }) => [id, name]));
  const list = ui.list(
    after.map(({ step, when }) =>
      ui.t(when === "success" ? "workflows.after_step" : `workflows.after.${when}`, {
        name: names.get(step) ?? "",
      })
    ),
  );
  return join === "any" && after.length > 1 ? ui.t("workflows.any_of", { list }) : list;
}

/** Returns the name of a step, which may be that of its template or workflow. */
export const stepName = (ui: Ui, step: Step, names: StepNames): string =>
  step.hidden ? ui.t("workflows.hidden_step") : step.name ||
    (step.kind === "template" || step.kind === "workflow"
      ? detailText(ui, step, names)
      : ui.t(`workflows.kind.${step.kind}`));

/** Returns what a step does: the name of its template or workflow, its minutes, its approvers. */
export function detailText(ui: Ui, step: Step, names: StepNames): string {
  if (step.hidden) return "";
  switch (step.kind) {
    case "template":
      return names.templates.get(step.template_id) ?? ui.t("workflows.missing_template");
    case "workflow":
      return names.workflows.get(step.workflow_id) ?? ui.t("workflows.missing_workflow");
    case "wait":
      return ui.t("workflows.minutes", { count: step.minutes });
    case "approval":
      return ui.t("workflows.approvals_needed", { count: step.approval.needed });
  }
}
