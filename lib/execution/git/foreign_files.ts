import { join } from "node:path";
import { PROJECT_FOLDERS } from "../process/isolation.ts";
import { collectProcess } from "../process/supervise.ts";
import { tasksDirectory } from "../process/task_directory.ts";
import { type RunContext, runError } from "../run/context.ts";
import type { RepositoryAddress } from "../run/plan.ts";
import { percentDecoded } from "./address.ts";

/**
 * Prints the folder of a path without links, or else the one above it, to which git may add ".git".
 * The shell asks the kernel, because git follows links too, also those of /proc.
 */
const FIND_FOLDER = `for folder in "$1" "\${1%/*}/"; do
  cd -P -- "$folder" 2>/dev/null && exec pwd -P
done`;

/**
 * Refuses a `file://` address in the folders that have the files of all projects. Without bubblewrap,
 * git would read the mirror of another project.
 */
export async function refuseForeignFiles(
  { env, directory, supervision }: RunContext,
  { url }: RepositoryAddress,
): Promise<void> {
  const path = url.slice("file://".length)
    // Git decodes each escape on its own, except for NUL.
    .replace(/(?:%(?!00)[0-9a-f]{2})+/gi, percentDecoded)
    .replace(/(?<!\/)\/+$/, "");
  const { stdout } = await collectProcess(
    {
      command: ["sh", "-c", FIND_FOLDER, "sh", path],
      cwd: directory.path,
      env: { PATH: env.path },
      limitMs: env.timeLimits.gitMs,
    },
    supervision,
  );
  const below = join(stdout.trimEnd(), "/");
  const data = await Deno.realPath(env.dataDir);
  const folders = [tasksDirectory(data), ...PROJECT_FOLDERS.map((name) => join(data, name))];
  if (folders.some((folder) => below.startsWith(`${folder}/`))) {
    throw runError("errors.run.repository_in_data", { url });
  }
}
