import { chosenInventory } from "../tasks/start_params.ts";
import { accessRuleOf } from "../model/access_rule.ts";
import { collection } from "../store/collection.ts";
import type { WorkflowRow } from "./schema.ts";

type Target = readonly ["templates" | "inventories" | "workflows", number];

/** Returns the references of a workflow, each once. */
export function workflowTargets(
  { steps, build_template_id }: Pick<WorkflowRow, "steps" | "build_template_id">,
): Target[] {
  const used = new Map<string, Target>();
  const use = (...target: Target) => used.set(target.join(), target);
  if (build_template_id) use("templates", build_template_id);
  for (const step of steps) {
    if (step.kind === "template") {
      use("templates", step.template_id);
      const inventoryId = chosenInventory(step.params);
      if (inventoryId !== null) use("inventories", inventoryId);
    } else if (step.kind === "workflow") use("workflows", step.workflow_id);
  }
  return [...used.values()];
}

export const workflowRows = collection<WorkflowRow>("workflows", {
  references: workflowTargets,
  texts: ["description"],
  documents: ["steps", "survey_vars", "notes"],
  rule: accessRuleOf,
});
