import { join } from "node:path";
import type { Deps } from "../../access/deps.ts";
import { removeTree } from "../../execution/process/files.ts";
import { type Loop, startLoop } from "../../store/loop.ts";
import { rowKeys } from "../../store/keys.ts";

/** Folders of task data in the data folder, each with a subfolder per project. */
const FOLDERS = ["repositories", "known_hosts", "homes", "galaxy"];

/** Removes a project's folders from this server's disk. */
export async function removeProjectFolders(dataDir: string, projectId: number): Promise<void> {
  for (const folder of FOLDERS) await removeTree(join(dataDir, folder, String(projectId)));
}

/** Removes the folders of projects and repositories that another server has deleted. */
export async function sweepFolders({ kv, config }: Pick<Deps, "kv" | "config">): Promise<void> {
  const { dataDir } = config;
  const isGone = async (key: Deno.KvKey) => (await kv.get(key)).versionstamp === null;
  for (const folder of FOLDERS) {
    for (const id of await listIds(join(dataDir, folder))) {
      if (await isGone(rowKeys.project(id))) await removeTree(join(dataDir, folder, String(id)));
    }
  }
  const copies = join(dataDir, "repositories");
  for (const projectId of await listIds(copies)) {
    for (const id of await listIds(join(copies, String(projectId)))) {
      if (!await isGone(rowKeys.resource("repositories", projectId, id))) continue;
      await removeTree(join(copies, String(projectId), String(id)));
    }
  }
}

const HOUR_MS = 3_600_000;

/** Removes such folders from this server's disk, at the start and then every hour. */
export function startSweepingFolders(deps: Deps): Loop {
  return startLoop(deps, {
    name: "folders",
    sleepMsMax: HOUR_MS,
    async step() {
      await sweepFolders(deps);
      return HOUR_MS;
    },
  });
}

async function listIds(path: string): Promise<number[]> {
  const entries = await Array.fromAsync(Deno.readDir(path)).catch(() => []);
  return entries.map(({ name }) => Number(name)).filter(Number.isSafeInteger);
}
