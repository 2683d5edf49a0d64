import { conditionText, type StepNames } from "@/components/workflows/step_texts.ts";
import { type ProjectScope, reopen } from "@/lib/access/scope.ts";
import { notFound } from "@/lib/base/errors.ts";
import { type Expected, versionOf } from "@/lib/base/version.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { templateNames } from "@/lib/templates/outlines.ts";
import { integrationService } from "@/lib/triggers/integrations/service.ts";
import { listWorkflowSchedules } from "@/lib/triggers/schedules/service.ts";
import { linksOf } from "@/lib/workflows/definition.ts";
import type { GraphLayout } from "@/lib/workflows/drawing.ts";
import { layoutOf } from "@/lib/workflows/layout.ts";
import { type After, type Step, workflowForm, type WorkflowView } from "@/lib/workflows/schema.ts";
import { listWorkflowNames, updateWorkflow } from "@/lib/workflows/service.ts";
import { parseWith } from "@/lib/base/parse.ts";

/** Reads the names of the templates and workflows that steps refer to. */
export async function stepNames(scope: ProjectScope): Promise<StepNames> {
  const [templates, workflows] = await Promise.all([
    templateNames(scope),
    listWorkflowNames(scope),
  ]);
  return { templates, workflows };
}

/** Reads the schedules and integrations that start a workflow. */
export async function triggersOf(scope: ProjectScope, workflowId: number) {
  const [schedules, integrations] = await Promise.all([
    listWorkflowSchedules(scope, workflowId),
    integrationService.list(scope),
  ]);
  const own = integrations.filter(({ workflow_id }) => workflow_id === workflowId);
  return { schedules, integrations: own };
}

/** A step with all its conditions. */
interface Linked {
  id: number;
  after: readonly After[];
}

/** Returns the drawing of a workflow's definition with the reader's texts. */
export const drawnWorkflow = (
  scope: ProjectScope,
  ui: Ui,
  { id, version }: { id: number; version: number },
  steps: readonly Linked[],
): Promise<GraphLayout> =>
  layoutOf(
    scope,
    { id, version, language: ui.language },
    steps.map(({ id, after }) => ({
      id,
      after: after.map(({ step, when }) => ({ step, label: conditionText(ui, when) })),
    })),
  );

/** Returns the steps of a definition with all their conditions. */
export function linkedSteps(steps: readonly Step[]): Linked[] {
  const links = linksOf(steps);
  return steps.map(({ id }) => ({ id, after: links.get(id)! }));
}

/** Changes the steps of a workflow. Throws 412 if the stored workflow is not `expected`. */
export async function changeSteps(
  scope: ProjectScope,
  workflow: WorkflowView,
  steps: readonly object[],
  expected?: Expected,
): Promise<void> {
  const { name, description, start_warning, survey_vars } = workflow;
  const form = parseWith(workflowForm, { name, description, start_warning, survey_vars, steps });
  const version = versionOf(workflow);
  const manager = await reopen(scope, "manage_resources");
  await updateWorkflow(
    manager,
    workflow.id,
    form,
    expected ?? (version ? [version] : undefined),
  );
}

/** Returns the step with this id. Throws 404. */
export function stepOf({ steps }: WorkflowView, id: number): WorkflowView["steps"][number] {
  const step = steps.find((step) => step.id === id);
  if (!step) throw notFound();
  return step;
}

/**
 * Returns the steps without one. Steps that named it no longer do. One that named no other then
 * follows the step above it.
 */
export const withoutStep = (steps: readonly Step[], id: number): Step[] =>
  steps.filter((step) => step.id !== id).map((step) => {
    if (!step.after?.some((link) => link.step === id)) return step;
    const after = step.after.filter((link) => link.step !== id);
    return { ...step, after: after.length > 0 ? after : null };
  });
