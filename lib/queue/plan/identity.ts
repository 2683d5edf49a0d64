import { getProjectEntry } from "../../model/projects.ts";
import type { Deps } from "../../access/deps.ts";
import type { Config } from "../../base/settings/config.ts";
import type { Secret } from "../../base/secret.ts";
import { repositoryRows } from "../../resources/repositories/repository.ts";
import { type IdentityClaims, issuerOf, signIdentity } from "../../task_identity/sign.ts";
import { isPreviewing } from "../../tasks/preview_state.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { triggerOf } from "../../tasks/trigger.ts";
import { environmentIds } from "../../templates/schema.ts";

const SECONDS_MAX = 3600;

/** Returns how long identities are valid: an hour, or as long as a task may run. */
export const identitySeconds = ({ taskTimeLimitMs }: Pick<Config, "taskTimeLimitMs">): number =>
  taskTimeLimitMs === 0 ? SECONDS_MAX : Math.min(SECONDS_MAX, Math.ceil(taskTimeLimitMs / 1000));

/**
 * Returns a signed JWT that says which task presents it, for `audience` and for `seconds`. Throws
 * AppError if the server's own address is not configured.
 */
export async function issueIdentity(
  deps: Deps,
  task: TaskRow,
  audience: string,
  seconds = identitySeconds(deps.config),
): Promise<Secret> {
  return await signIdentity(deps, await claimsOf(deps, task), audience, seconds);
}

/**
 * Returns the variables with the identity of a task whose template asks for one. Newer Semaphore
 * servers call it SEMAPHORE_JWT (semaphoreui/semaphore#3896).
 */
export async function identityVariables(
  deps: Deps,
  task: TaskRow,
): Promise<Record<string, Secret>> {
  if (task.identity_audience === undefined) return {};
  const audience = task.identity_audience || issuerOf(deps.config) || "";
  const token = await issueIdentity(deps, task, audience);
  return { CALLBOARD_ID_TOKEN: token, SEMAPHORE_JWT: token };
}

async function claimsOf({ kv }: Deps, task: TaskRow): Promise<IdentityClaims> {
  const { project_id, template_id, repository_id } = task;
  const [project, repository] = await Promise.all([
    getProjectEntry(kv, project_id),
    repositoryRows.find(kv, project_id, repository_id),
  ]);
  const isDry = task.dry_run || isPreviewing(task);
  return {
    // Receivers that only compare subjects must not take a preview for the confirmed run.
    sub: `project:${project_id}:template:${template_id}${isDry ? ":dry_run" : ""}`,
    project_id: String(project_id),
    project_name: project.value.name,
    template_id: String(template_id),
    template_name: task.template_name,
    task_id: String(task.id),
    trigger: triggerOf(task),
    dry_run: String(isDry),
    user_id: task.user_id === null ? undefined : String(task.user_id),
    username: task.username ?? undefined,
    branch: task.git_branch ?? repository?.row.git_branch ?? undefined,
    commit: task.commit_hash ?? undefined,
    environment_ids: environmentIds(task).map(String),
  };
}
