import type { Deps } from "../access/deps.ts";
import { parseAddress } from "../execution/git/address.ts";
import type { RepositoryPlan } from "../execution/run/plan.ts";
import { present } from "./common/present.ts";
import { gitCredentialsOf } from "./credential_plans.ts";
import { keyOf } from "./keys/plan_key.ts";
import { hostAuthorityLines } from "./known_hosts/authorities.ts";
import { repositoryRows } from "./repositories/repository.ts";
import type { RepositoryRow } from "./repositories/schema.ts";
import { openUrl } from "./repositories/sealed_url.ts";

export type WantedCommit = Partial<Pick<RepositoryPlan, "branch" | "commit" | "ofBranch">>;

/** A repository with its key, as a task uses it. */
export async function repositoryOf(
  deps: Deps,
  projectId: number,
  id: number,
  wanted?: WantedCommit,
): Promise<RepositoryPlan> {
  const row = await present("repository", repositoryRows.find(deps.kv, projectId, id));
  return await repositoryPlan(deps, projectId, row, wanted);
}

/** Like `repositoryOf`, for a row. Its id is null if the row is not stored. */
export async function repositoryPlan(
  deps: Deps,
  projectId: number,
  row: Omit<RepositoryRow, "id" | "project_id" | "name"> & { id: number | null },
  { branch = null, commit = null, ofBranch = false }: WantedCommit = {},
): Promise<RepositoryPlan> {
  const key = await keyOf(deps, projectId, row.ssh_key_id);
  return {
    id: row.id,
    address: parseAddress(await openUrl(deps.secrets, row), key.type),
    branch: branch ?? (row.git_branch || null),
    depth: row.git_depth,
    commit,
    ofBranch,
    key,
    credentials: await gitCredentialsOf(deps, projectId),
    hostAuthorities: await hostAuthorityLines(deps.kv, projectId),
  };
}
