import { join } from "node:path";
import type { Deps } from "../deps.ts";
import { describeError } from "../log.ts";

/** Drops what was fetched from a repository. What cannot be removed now is told in the log. */
export async function forgetWorkingCopies(
  { config, log }: Pick<Deps, "config" | "log">,
  projectId: number,
  id: number,
): Promise<void> {
  const folder = join(config.dataDir, "repositories", String(projectId), String(id));
  try {
    await Deno.remove(folder, { recursive: true });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    log("warn", "working_copy_left", { projectId, repositoryId: id, ...describeError(error) });
  }
}
