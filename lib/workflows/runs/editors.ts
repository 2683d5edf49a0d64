import { getAll } from "../../store/rows/get_all.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import { ancestorsOf } from "../definition.ts";
import type { Definition, WorkflowRow } from "../schema.ts";
import type { TemplateRow } from "../../templates/schema.ts";

/**
 * Returns the last people who changed a workflow, or a template or workflow of the steps that
 * follow an approval.
 */
export async function editorsOf(
  kv: Store,
  projectId: number,
  { steps, changed_by }: Definition,
  approvalId: number,
): Promise<(number | null)[]> {
  const before = ancestorsOf(steps);
  const keys = steps.filter(({ id }) => before.get(id)!.has(approvalId)).flatMap((step) =>
    step.kind === "template"
      ? [rowKeys.resource("templates", projectId, step.template_id)]
      : step.kind === "workflow"
      ? [rowKeys.resource("workflows", projectId, step.workflow_id)]
      : []
  );
  const rows = await getAll<TemplateRow | WorkflowRow>(kv, keys);
  return [changed_by, ...rows.map(({ value }) => value?.changed_by ?? null)];
}
