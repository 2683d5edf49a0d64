import type { ProjectScope } from "../../access/scope.ts";
import type { Expected } from "../../base/version.ts";
import { sortByReferred, type SortParams } from "../../references/sort.ts";
import { resourceService } from "../common/service.ts";
import { repositoryRows } from "./repository.ts";
import type { RepositoryForm, RepositoryRow, RepositoryView } from "./schema.ts";
import { deleteGeneration } from "./requirements.ts";
import { sealUrl } from "./sealed_url.ts";
import type { Deps } from "../../access/deps.ts";
import { repositoryDirectory } from "../../execution/git/mirror.ts";
import { removeTree } from "../../execution/process/files.ts";
import { describeError } from "../../base/log.ts";

const repositories = resourceService<RepositoryRow, RepositoryView, RepositoryForm>({
  rows: repositoryRows,
  event: ({ name }) => ({ object: "repository", name }),
  view: ({ url_secret: _, ...view }) => view,
  // With another URL the next task fetches again. Running tasks are not affected.
  fields: async ({ deps }, form, stored) => ({
    ...form,
    ...await sealUrl(deps.secrets, form.git_url, stored),
  }),
  targets: ({ ssh_key_id }) => ({ ssh_key_id: ["keys", ssh_key_id] }),
});

/** A project's repositories. Logins and passwords of their URLs are sealed and never returned. */
export const repositoryService = {
  ...repositories,

  async list(scope: ProjectScope, sort?: SortParams): Promise<RepositoryView[]> {
    const rows = await repositories.list(scope);
    return await sortByReferred(scope.deps.kv, scope.projectId, rows, sort, {
      ssh_key: ["ssh_key_id", "keys"],
    });
  },

  /** Deletes the repository and its working copies. */
  async delete(
    scope: ProjectScope<"manage_resources">,
    id: number,
    expected?: Expected,
  ): Promise<void> {
    await repositories.remove(scope, id, expected, (usedBy, op) => {
      deleteGeneration(op, scope.projectId, id);
      return Promise.resolve(usedBy);
    });
    await forgetWorkingCopies(scope.deps, scope.projectId, id);
  },
};

/** Deletes the fetched copies of a repository. Logs a warning if that fails. */
async function forgetWorkingCopies(
  { config, log }: Pick<Deps, "config" | "log">,
  projectId: number,
  id: number,
): Promise<void> {
  try {
    await removeTree(repositoryDirectory(config.dataDir, projectId, id));
  } catch (error) {
    log("warn", "working_copy_left", { projectId, repositoryId: id, ...describeError(error) });
  }
}
