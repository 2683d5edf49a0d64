import { chosenInventory } from "../tasks/start_params.ts";
import { collection } from "../kv/collection.ts";
import type { Ref } from "../kv/keys.ts";
import type { WorkflowRow } from "./schema.ts";

export const workflowRows = collection<WorkflowRow>("workflows", {
  references: ({ steps }) => {
    const used = new Map<string, Ref>();
    const use = (...ref: Ref) => used.set(ref.join(), ref);
    for (const step of steps) {
      if (step.kind === "template") {
        use("templates", step.template_id);
        const inventoryId = chosenInventory(step.params);
        if (inventoryId !== null) use("inventories", inventoryId);
      } else if (step.kind === "workflow") use("workflows", step.workflow_id);
    }
    return [...used.values()];
  },
  texts: ["description"],
  documents: ["steps", "survey_vars", "notes"],
});
