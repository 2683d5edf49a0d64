import type { Deps } from "../access/deps.ts";
import { AppError } from "../base/errors.ts";
import { parseAddress } from "../execution/git/address.ts";
import type { PlanKey, RepositoryPlan } from "../execution/run/plan.ts";
import { hostAuthorityLines } from "./known_hosts/authorities.ts";
import { keyRows } from "./keys/repository.ts";
import { referredKey } from "./keys/referred_key.ts";
import { openSecret } from "./keys/secret.ts";
import { signedKey } from "./keys/signer.ts";
import type { SshOptions } from "./keys/ssh_options.ts";
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
    commit,
    ofBranch,
    key,
    hostAuthorities: await hostAuthorityLines(deps.kv, projectId),
  };
}

/** A key with its secrets. For null it is a key of type "none". */
export async function keyOf(deps: Deps, projectId: number, id: number | null): Promise<PlanKey> {
  return id === null ? { type: "none" } : (await namedKeyOf(deps, projectId, id)).key;
}

/** A key with its secrets and its name. */
export async function namedKeyOf(
  deps: Deps,
  projectId: number,
  id: number,
): Promise<{ name: string; key: PlanKey; ssh_options?: SshOptions }> {
  const row = await present("key", keyRows.find(deps.kv, projectId, id));
  const { name, ssh_options, source } = row;
  if (source) return { name, ssh_options, key: await referredKey(deps, row, source) };
  if (row.type !== "none" && row.secret === null) {
    throw new AppError(400, "errors.run.empty_key", { name: row.name });
  }
  const key = await signedKey(deps, row, await openSecret(deps.secrets, row));
  return { name, ssh_options, key };
}

/** Returns the row. Throws an error that names the missing kind of object. */
export async function present<T>(kind: string, finding: Promise<{ row: T } | null>): Promise<T> {
  const found = await finding;
  if (!found) throw new AppError(400, `errors.run.missing_${kind}`);
  return found.row;
}
