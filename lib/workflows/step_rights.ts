import { requireUsableRule } from "../access/rules/require.ts";
import type { ProjectScope } from "../access/scope.ts";
import { sightOf } from "../access/sight.ts";
import { invalidField } from "../base/errors.ts";
import type { Ref } from "../store/keys.ts";
import { notInProject } from "../references/service.ts";
import type { Step, WorkflowRow } from "./schema.ts";

/**
 * Throws unless the actor may run what new and changed steps start, sees the build template that
 * starts the workflow, and sets a usable rule. Otherwise a workflow would run templates for people
 * whom a rule keeps away from them. Steps that start the same as before may stay and be moved.
 */
export async function requireStepRights(
  scope: ProjectScope<"manage_resources">,
  row: WorkflowRow,
  stored: WorkflowRow | null,
): Promise<void> {
  const sight = await sightOf(scope);
  const before = new Set((stored?.steps ?? []).map(startedBy));
  for (const [n, step] of row.steps.entries()) {
    const target = targetOf(step);
    if (!target || before.has(startedBy(step))) continue;
    const [kind, id] = target;
    const field = `steps.${n}.${kind === "templates" ? "template_id" : "workflow_id"}`;
    if (!sight.maySee(kind, id)) throw notInProject(field);
    if (!sight.mayRun(kind, id)) throw invalidField(field, "errors.access.step");
  }
  const { build_template_id: build } = row;
  if (build && build !== stored?.build_template_id && !sight.maySee("templates", build)) {
    throw notInProject("build_template_id");
  }
  await requireUsableRule(scope, row, stored ?? {});
}

const targetOf = (step: Step) =>
  step.kind === "template"
    ? ["templates", step.template_id] as const satisfies Ref
    : step.kind === "workflow"
    ? ["workflows", step.workflow_id] as const satisfies Ref
    : null;

/** Returns what a step starts, and with which values, as a text to compare. */
const startedBy = (step: Step): string =>
  JSON.stringify([step.id, targetOf(step), "params" in step && step.params, valuesOf(step)]);

const valuesOf = (step: Step) => "values" in step ? step.values : [];
