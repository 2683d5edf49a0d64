import type { Step, WorkflowRow } from "../../workflows/schema.ts";
import { exportAccessRule } from "./access_rules.ts";
import { entryName, type Names, portableParams } from "./names.ts";
import { exportRule } from "./people.ts";

/** Returns the entry of a workflow. Versions and runs belong to the history and are omitted. */
export const exportWorkflow = (
  row: WorkflowRow,
  names: Names,
  usernames: ReadonlyMap<number, string>,
) => ({
  ...names.workflows.get(row.id)!,
  ...exportAccessRule(row, usernames),
  description: row.description,
  start_warning: row.start_warning,
  survey_vars: row.survey_vars,
  build_template: entryName(names.templates, row.build_template_id),
  steps: row.steps.map((step) => exportStep(step, names, usernames)),
  notes: row.notes?.length ? row.notes : null,
});

function exportStep(step: Step, names: Names, usernames: ReadonlyMap<number, string>) {
  switch (step.kind) {
    case "template": {
      const { template_id, params, ...rest } = step;
      const template = entryName(names.templates, template_id);
      return { ...rest, template, ...portableParams(params, names) };
    }
    case "workflow": {
      const { workflow_id, ...rest } = step;
      return { ...rest, workflow: entryName(names.workflows, workflow_id) };
    }
    case "approval": {
      return { ...step, approval: exportRule(step.approval, usernames) };
    }
    case "wait":
      return { ...step };
  }
}
