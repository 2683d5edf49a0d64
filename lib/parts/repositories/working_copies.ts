import type { Deps } from "../../access/deps.ts";
import { repositoryDirectory } from "../../execution/git/mirror.ts";
import { removeTree } from "../../execution/process/files.ts";
import { describeError } from "../../base/log.ts";

/** Deletes the fetched copies of a repository. Logs a warning if that fails. */
export async function forgetWorkingCopies(
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
