import type { Deps } from "../access/deps.ts";
import { credentialSite } from "../execution/git/credential_site.ts";
import type { GitCredential } from "../execution/run/plan.ts";
import { gitCredentialRows } from "./git_credentials/repository.ts";
import { namedKeyOf } from "./keys/plan_key.ts";

/** Returns the keys of a project for git, as runs take them. */
export async function gitCredentialsOf(deps: Deps, projectId: number): Promise<GitCredential[]> {
  const rows = await gitCredentialRows.list(deps.kv, projectId);
  const found = await Promise.all(rows.map(async ({ type, host, ssh_key_id }) => {
    const site = credentialSite(type, host);
    return site && { site, ...await namedKeyOf(deps, projectId, ssh_key_id) };
  }));
  return found.filter((credential) => credential !== null)
    .map(({ name, site, key }) => ({ name, site, key }));
}
