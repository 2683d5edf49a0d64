import { join } from "node:path";
import type { Deps } from "../../access/deps.ts";

type DataDir = { config: Pick<Deps["config"], "dataDir"> };

/** Folder of empty files, which need no space, named after tasks. */
const folderIn = ({ config: { dataDir } }: DataDir) => join(dataDir, "full_disk");

const fileOf = (deps: DataDir, taskId: number) => join(folderIn(deps), String(taskId));

/**
 * Notes that a task ends because the disk is full, so that the server's next start can say so. The
 * end itself is stored once there is space.
 */
export function noteFullDisk(deps: DataDir & Pick<Deps, "log">, taskId: number): void {
  deps.log("error", "disk_full_ended", { task: taskId });
  try {
    Deno.mkdirSync(folderIn(deps), { recursive: true, mode: 0o700 });
    Deno.writeTextFileSync(fileOf(deps, taskId), "", { mode: 0o600 });
  } catch {
    // Then the restart is the reason of the end.
  }
}

/** Whether a task was about to end because the disk was full. */
export const endedOnFullDisk = (deps: DataDir, taskId: number): Promise<boolean> =>
  Deno.stat(fileOf(deps, taskId)).then(() => true, () => false);

/** Removes the note of a task whose end is stored. */
export const forgetFullDisk = (deps: DataDir, taskId: number): Promise<void> =>
  Deno.remove(fileOf(deps, taskId)).catch(() => {});
