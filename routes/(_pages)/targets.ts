import type { ProjectScope } from "@/lib/access/scope.ts";
import { listTemplates } from "@/lib/templates/service.ts";
import { listWorkflowNames } from "@/lib/workflows/service.ts";

/** Loads the templates and workflows that a schedule or an integration can start. */
export async function loadTargets(scope: ProjectScope) {
  const [templates, names] = await Promise.all([listTemplates(scope), listWorkflowNames(scope)]);
  return { templates, workflows: [...names].map(([id, name]) => ({ id, name })) };
}
