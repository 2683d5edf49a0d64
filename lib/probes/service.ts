import type { ProjectScope } from "../access/scope.ts";
import { storeEvent } from "../events/record.ts";
import {
  repositoryBranches,
  type RepositoryContents,
  repositoryContents,
} from "../execution/git/contents.ts";
import type { RepositoryPlan } from "../execution/run/plan.ts";
import { repositoryRows } from "../parts/repositories/repository.ts";
import type { RepositoryForm } from "../parts/repositories/schema.ts";
import { sealUrl } from "../parts/repositories/sealed_url.ts";
import { repositoryPlan } from "../parts/run_parts.ts";
import { keptPlaybooks } from "./kept_playbooks.ts";
import { withinLimits } from "./limits.ts";

/** Who could have a task do the same, and read its output. */
type Manager = ProjectScope<"manage_resources">;

/** The branches of a stored repository. Throws 422 with a sentence when it cannot be reached. */
export async function listBranches(scope: Manager, id: number): Promise<string[]> {
  const { deps, projectId } = scope;
  const row = await repositoryRows.get(deps.kv, projectId, id);
  const plan = await repositoryPlan(deps, projectId, row);
  return await withinLimits(
    scope,
    (env, stop) => repositoryBranches(env, projectId, plan, stop),
  );
}

/** Branches and playbooks of a stored repository: in `branch`, or in its own. Throws as above. */
export async function repositoryChoices(
  scope: Manager,
  id: number,
  branch: string | null,
): Promise<RepositoryContents> {
  const { deps, projectId } = scope;
  const row = await repositoryRows.get(deps.kv, projectId, id);
  return await contentsOf(scope, await repositoryPlan(deps, projectId, row, { branch }));
}

/**
 * The same of what is typed for a repository, whether stored or not. What the key is for is sent to
 * the address that was typed, as a task would do after saving; so it is told that somebody did it.
 */
export async function tryRepository(
  scope: Manager,
  form: RepositoryForm,
  id: number | null,
): Promise<RepositoryContents> {
  const { deps, actor, projectId } = scope;
  const stored = id === null ? null : await repositoryRows.get(deps.kv, projectId, id);
  const url = await sealUrl(deps.secrets, form.git_url, stored);
  const isStored = stored?.git_url === url.git_url && stored.ssh_key_id === form.ssh_key_id;
  const plan = await repositoryPlan(deps, projectId, {
    ...form,
    ...url,
    id: isStored ? stored.id : null,
  });
  await storeEvent(deps, actor, {
    projectId,
    object: "repository",
    id: id ?? 0,
    name: form.name,
    action: "tried",
    params: { url: url.git_url },
  });
  return await contentsOf(scope, plan);
}

async function contentsOf(scope: Manager, plan: RepositoryPlan): Promise<RepositoryContents> {
  const { deps, projectId } = scope;
  const kept = plan.id === null ? undefined : keptPlaybooks(deps.kv, plan.id, plan.branch ?? "");
  return await withinLimits(
    scope,
    (env, stop) => repositoryContents(env, projectId, plan, { stop, kept }),
  );
}
