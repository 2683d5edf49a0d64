import type { ProjectScope } from "../access/scope.ts";
import { findRefNames } from "../connection_tests/ref_names.ts";
import { allowancesFor } from "../queue/inputs/overrides.ts";
import { repositoryRows } from "../resources/repositories/repository.ts";
import type { TemplateView } from "../templates/schema.ts";

/** Most names that a page suggests. */
const SUGGESTED_MAX = 1_000;

/**
 * Suggests branches, then tags, for tasks that may choose theirs: those that the last look at the
 * repository has found. Never asks the repository itself.
 */
export async function suggestedBranches(
  scope: ProjectScope,
  template: TemplateView | null,
): Promise<string[]> {
  if (!template || !allowancesFor(scope, template).git_branch) return [];
  const { deps: { kv }, projectId } = scope;
  const found = await repositoryRows.find(kv, projectId, template.repository_id);
  const names = found && await findRefNames(scope, found.row);
  return names ? [...names.branches, ...names.tags].slice(0, SUGGESTED_MAX) : [];
}
