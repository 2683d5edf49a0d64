import type { State } from "@/lib/web/state.ts";
import { outlinesByName } from "@/lib/templates/outlines.ts";
import { listWorkflowNames } from "@/lib/workflows/service.ts";

/** Loads the templates and workflows that a schedule or an integration can start. */
export async function loadTargets({ scope, ui }: Pick<State, "scope" | "ui">) {
  const [templates, names] = await Promise.all([
    outlinesByName(scope, ui.language),
    listWorkflowNames(scope),
  ]);
  return { templates, workflows: [...names].map(([id, name]) => ({ id, name })) };
}
