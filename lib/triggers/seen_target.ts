import type { ProjectScope } from "../access/scope.ts";
import { sightOf } from "../access/sight.ts";
import { AppError, forbidden, notFound } from "../base/errors.ts";
import type { TriggerTarget } from "./trigger_target.ts";

/** Throws 404 if the actor does not see what a trigger starts, and so not the trigger. */
export async function requireTriggerSeen(
  scope: ProjectScope,
  trigger: TriggerTarget,
): Promise<void> {
  if (!(await sightOf(scope)).maySeeTarget(trigger)) throw notFound();
}

/**
 * Throws 404, naming the field, if the actor does not see what a trigger shall start, and 403 if a
 * rule forbids them to run it. A trigger would start it for them.
 */
export async function requireMayTrigger(
  scope: ProjectScope,
  { template_id, workflow_id }: TriggerTarget,
): Promise<void> {
  const sight = await sightOf(scope);
  if (!sight.maySeeTarget({ template_id, workflow_id })) {
    const field = workflow_id ? "workflow_id" : "template_id";
    const fields = { [field]: { key: "errors.not_in_project" } };
    throw new AppError(404, "errors.field_not_in_project", { field }, { fields });
  }
  const mayRun = workflow_id
    ? sight.mayRun("workflows", workflow_id)
    : !template_id || sight.mayRun("templates", template_id);
  if (!mayRun) throw forbidden();
}
