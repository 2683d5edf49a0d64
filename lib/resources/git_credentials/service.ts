import type { ProjectScope } from "../../access/scope.ts";
import { AppError, invalidField } from "../../base/errors.ts";
import type { SortParams } from "../../references/sort.ts";
import { credentialSite } from "../../execution/git/credential_site.ts";
import { type ResourceService, resourceService } from "../common/service.ts";
import { requireFittingKey } from "./key_rule.ts";
import { gitCredentialRows } from "./repository.ts";
import {
  CREDENTIALS_MAX,
  type GitCredentialForm,
  type GitCredentialRow,
  type GitCredentialView,
} from "./schema.ts";

/** A project's keys for git by host and address. */
export const gitCredentialService = resourceService<
  GitCredentialRow,
  GitCredentialView,
  GitCredentialForm,
  "manage_keys"
>({
  rows: gitCredentialRows,
  event: ({ host }) => ({ object: "git_credential", name: host }),
  view: ({ name: _, ...view }) => view,
  fields: async ({ deps, projectId }, { type, host, ssh_key_id }, stored) => {
    const rows = await gitCredentialRows.list(deps.kv, projectId);
    const others = rows.filter(({ id }) => id !== stored?.id);
    if (others.length >= CREDENTIALS_MAX) {
      throw new AppError(400, "errors.git_credentials.limit", { max: CREDENTIALS_MAX });
    }
    const site = siteOf({ type, host });
    if (others.some((row) => siteOf(row) === site)) {
      throw invalidField("host", "errors.git_credentials.taken");
    }
    return { name: host, type, host, ssh_key_id };
  },
  targets: ({ ssh_key_id }) => ({ ssh_key_id: ["keys", ssh_key_id] }),
  checkTargets: (row, targets) => requireFittingKey(row, targets.get("ssh_key_id")),
});

/** Returns the same text for names of the same site. */
const siteOf = ({ type, host }: Pick<GitCredentialRow, "type" | "host">): string =>
  JSON.stringify(credentialSite(type, host));

interface Named {
  name: string;
}

const named = <View extends GitCredentialView>(view: View) =>
  // Not a copy, which would have no version.
  Object.assign(view, { name: view.host });

/** The same for pages of resources, which show names. */
export const namedGitCredentials: ResourceService<
  GitCredentialView & Named,
  GitCredentialForm & Named,
  GitCredentialForm & Named,
  "manage_keys"
> = {
  ...gitCredentialService,
  list: async (scope: ProjectScope, sort?: SortParams) =>
    (await gitCredentialService.list(scope, sort)).map(named),
  get: async (scope: ProjectScope, id: number) => named(await gitCredentialService.get(scope, id)),
  create: async (scope: ProjectScope<"manage_keys">, form: GitCredentialForm) =>
    named(await gitCredentialService.create(scope, form)),
};
