import { basename, join } from "node:path";
import * as z from "zod";
import { readPlainFile, removeTree, subdirectories, writePlainFile } from "../../process/files.ts";
import { createTraversableDir } from "../../process/isolation.ts";
import { withLock } from "../../process/lock.ts";
import { tasksDirectory } from "../../process/task_directory.ts";
import type { RunContext } from "../../run/context.ts";
import { usedRequirements } from "../../run/used_requirements.ts";
import { type RequiredEntry, requiredEntry } from "./entries.ts";

/** Installed requirements that were not used for this long are removed. */
const UNUSED_DAYS_MAX = 60;
/** Installations of the same files that stay for other runs, such as of a branch that moves. */
const SAME_FILES_MAX = 5;
const PROJECT_MAX = 50;

/** File of a run's folder that names the installation in use. */
const IN_USE = "requirements_in_use";
const KEY = /^[0-9a-f]{32}$/;

/** Contents of a folder. It is written before the folder has its name. */
const recordSchema = z.object({
  /** Hash of the files, without what moving names in them stood for. */
  asked: z.string(),
  used: usedRequirements,
});
export type InstallationRecord = z.output<typeof recordSchema>;

const galaxyDirectory = (dataDir: string) => join(dataDir, "galaxy");

/** Returns the folder of a project's installations, which it creates. Without links. */
export async function installationsOf({ env, projectId }: RunContext): Promise<string> {
  const project = join(galaxyDirectory(env.dataDir), String(projectId));
  for (const path of [galaxyDirectory(env.dataDir), project]) {
    await createTraversableDir(env.isolation, path);
  }
  return await Deno.realPath(project);
}

/**
 * Returns what an installation has, and marks it as used by this run until its end. Null if it does
 * not exist.
 */
export const useInstallation = (
  { directory, supervision: { stop } }: RunContext,
  project: string,
  key: string,
): Promise<InstallationRecord | null> =>
  withLock(usesLock(project), stop, async () => {
    const folder = join(project, key);
    const record = await readRecord(folder);
    if (!record || !await exists(folder)) return null;
    await Deno.writeTextFile(join(directory.path, IN_USE), key, { mode: 0o600 });
    await Deno.utime(folder, new Date(), new Date());
    return record;
  });

const exists = (path: string) => Deno.stat(path).then(() => true, () => false);

/** Held while requirements are installed. */
export const installLock = (project: string) => join(project, "lock");

/** Held for a moment, so that nothing is removed between a look and the mark. */
const usesLock = (project: string) => join(project, "uses.lock");

async function readRecord(folder: string): Promise<InstallationRecord | null> {
  try {
    return recordSchema.parse(JSON.parse(await readPlainFile(`${folder}.json`) ?? "null"));
  } catch {
    return null;
  }
}

/** Ends the name of a file with what the last installation of the same files depends on. */
const DEPENDENCIES = ".dependencies";

/**
 * Returns what the last installation of the same files depends on, as far as it moves. It is a
 * file of its own, so that runs without such dependencies read nothing.
 */
export async function lastDependencies(project: string, asked: string): Promise<RequiredEntry[]> {
  try {
    const text = await readPlainFile(join(project, asked + DEPENDENCIES));
    return z.array(requiredEntry).parse(JSON.parse(text ?? "[]"));
  } catch {
    return [];
  }
}

/** Gives a finished installation its name. Until then, no run sees it. */
export async function keepInstallation(
  fresh: string,
  folder: string,
  record: InstallationRecord,
): Promise<void> {
  // Left by a kill during a removal.
  await removeTree(folder);
  await writePlainFile(`${folder}.json`, JSON.stringify(record));
  await Deno.rename(fresh, folder);
}

/** Keeps what the last installation of the same files depends on. */
export async function keepDependencies(
  project: string,
  asked: string,
  dependencies: RequiredEntry[],
): Promise<void> {
  const path = join(project, asked + DEPENDENCIES);
  if (dependencies.length === 0) return await removeTree(path);
  await writePlainFile(path, JSON.stringify(dependencies));
}

/**
 * Removes the installations of a project that no run uses and that are too many, or were not used
 * for a long time.
 */
export async function pruneInstallations(
  { env: { dataDir }, supervision: { stop } }: Pick<RunContext, "env" | "supervision">,
  project: string,
): Promise<void> {
  await withLock(usesLock(project), stop, async () => {
    const used = await keysInUse(dataDir);
    for (const folder of await superfluous(project)) {
      if (!used.has(basename(folder))) await Deno.rename(folder, `${folder}.old`);
    }
  });
  await removeRest(project, /\.old$/);
}

/** Removes the installations of a project that no run uses. Throws the signal's reason. */
export async function clearInstallations(
  dataDir: string,
  projectId: number,
  stop: AbortSignal,
): Promise<void> {
  const project = join(galaxyDirectory(dataDir), String(projectId));
  if (!await exists(project)) return;
  await withLock(installLock(project), stop, async () => {
    await withLock(usesLock(project), stop, async () => {
      const used = await keysInUse(dataDir);
      for (const folder of await subdirectories(project)) {
        const key = basename(folder);
        if (KEY.test(key) && !used.has(key)) await Deno.rename(folder, `${folder}.old`);
      }
    });
    await removeRest(project, /\.(new|old)$/);
  });
}

async function keysInUse(dataDir: string): Promise<Set<string>> {
  const marks = (await subdirectories(tasksDirectory(dataDir)))
    .map((task) => readPlainFile(join(task, IN_USE)).catch(() => null));
  return new Set((await Promise.all(marks)).filter((key) => key !== null));
}

async function superfluous(project: string): Promise<string[]> {
  const oldest = Date.now() - UNUSED_DAYS_MAX * 86_400_000;
  const folders = (await subdirectories(project)).filter((path) => KEY.test(basename(path)));
  const found = await Promise.all(folders.map(async (folder) => ({
    folder,
    used: (await Deno.stat(folder)).mtime?.getTime() ?? 0,
    asked: (await readRecord(folder))?.asked ?? "",
  })));
  found.sort((a, b) => b.used - a.used);
  const counts = new Map<string, number>();
  return found.filter(({ used, asked }, n) => {
    const same = (counts.get(asked) ?? 0) + 1;
    counts.set(asked, same);
    return used < oldest || n >= PROJECT_MAX || same > SAME_FILES_MAX;
  }).map(({ folder }) => folder);
}

/** Removes folders that end like this, and files about folders that do not exist. */
async function removeRest(project: string, ends: RegExp): Promise<void> {
  const folders = await subdirectories(project);
  for (const folder of folders) if (ends.test(folder)) await removeTree(folder);
  const kept = new Set(folders.map((folder) => basename(folder)));
  for await (const { name } of Deno.readDir(project)) {
    const key = /^(\w+)\.json(\.new)?$/.exec(name)?.[1];
    const isOpen = key && (kept.has(key) || kept.has(`${key}.new`));
    if (key && !isOpen) await removeTree(join(project, name));
  }
  const records = await Promise.all([...kept].map((key) => readRecord(join(project, key))));
  const asked = new Set(records.map((record) => record?.asked));
  for await (const { name } of Deno.readDir(project)) {
    const [, of] = /^(\w+)\.dependencies(\.new)?$/.exec(name) ?? [];
    if (of && !asked.has(of)) await removeTree(join(project, name));
  }
}

/** Removes what `pruneInstallations` does, and unfinished installations. Called before any run. */
export async function pruneRequirements(dataDir: string): Promise<void> {
  for (const project of await subdirectories(galaxyDirectory(dataDir))) {
    for (const folder of await superfluous(project)) await removeTree(folder);
    await removeRest(project, /\.(new|old)$/);
  }
}
