import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { noSandbox } from "./process/isolation.ts";
import { shell } from "./process/shell.ts";
import { removeLeftContainers } from "./ansible/container.ts";
import { pruneRequirements } from "./ansible/requirements/folders.ts";
import { pruneToolchains } from "./ansible/toolchains/toolchain.ts";
import { removeTaskDirectory, tasksDirectory } from "./process/task_directory.ts";
import { pruneMirrors } from "./git/mirror.ts";

const SCRIPT = fileURLToPath(new URL("./process/recover.sh", import.meta.url));

/**
 * Ends the processes and removes the directories that runs of a killed server have left behind.
 * Called at the start of the server, before anything runs. Returns the number of runs. Reports
 * directories that cannot be removed, and tries them again at the next start.
 */
export async function recoverLeftovers(
  dataDir: string,
  onKept: (error: unknown) => void,
): Promise<number> {
  const paths = await list(tasksDirectory(dataDir));
  if (paths.length > 0) await shell('exec sh "$@"', SCRIPT, ...paths.map(pidsFile));
  await removeLeftContainers(dataDir).catch(onKept);
  for (const path of paths) await removeTaskDirectory(path, noSandbox).catch(onKept);
  await pruneMirrors(dataDir).catch(onKept);
  await pruneRequirements(dataDir).catch(onKept);
  await pruneToolchains(dataDir).catch(onKept);
  return paths.length;
}

const pidsFile = (directory: string) => join(directory, "pids");

async function list(directory: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(directory)).catch(() => []);
  if (entries.length === 0) return [];
  // Processes were marked with the real path.
  const path = await Deno.realPath(directory);
  return entries.map((entry) => join(path, entry.name));
}
