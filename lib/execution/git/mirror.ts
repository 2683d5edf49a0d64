import { dirname, join } from "node:path";
import type { GitAccess } from "./access.ts";
import { type FetchedCommit, fetchedHead, fetchInto, type MirroredCommit } from "./fetch.ts";
import { isFinal } from "./git.ts";
import { pruneLargeFiles } from "./lfs.ts";
import { withLock } from "../process/lock.ts";
import type { RepositoryPlan } from "../run/plan.ts";
import type { RunContext } from "../run/context.ts";
import { chownTreeToTask, createTraversableDir } from "../process/isolation.ts";
import { readPlainFile, removeTree, subdirectories } from "../process/files.ts";

/** Names the mirror of a repository that is in use. */
interface Current {
  url: string;
  directory: string;
}

const repositoriesDirectory = (dataDir: string) => join(dataDir, "repositories");

/** Returns the folder with all files of a repository. It is removed with the repository. */
export const repositoryDirectory = (dataDir: string, projectId: number, repositoryId: number) =>
  join(repositoriesDirectory(dataDir), String(projectId), String(repositoryId));

/**
 * Brings the wanted commit into the repository's mirror: `commit`, or the latest of its branch.
 * Only one fetch runs at a time. Commits that earlier runs fetched stay, since other runs may be
 * using them.
 */
export async function fetchCommit(
  context: RunContext,
  access: GitAccess,
  repository: RepositoryPlan,
): Promise<MirroredCommit> {
  const { dataDir, isolation } = context.env;
  if (repository.id === null) {
    return await fetchIntoNew(join(context.directory.path, "mirror"), context, access, repository);
  }
  const directory = repositoryDirectory(dataDir, context.projectId, repository.id);
  const project = dirname(directory);
  for (const path of [dirname(project), project, directory]) {
    await createTraversableDir(isolation, path);
  }
  return await withLock(join(directory, "lock"), context.supervision.stop, async () => {
    const current = await readCurrent(directory);
    if (current?.url === access.address.url) {
      try {
        return await fetchInto(join(directory, current.directory), context, access, repository);
      } catch (error) {
        if (isFinal(error) || context.supervision.stop.aborted) throw error;
        await context.say("The local copy of the repository cannot be used. Creating a new one.");
      }
    }
    return await fetchAnew(directory, context, access, repository);
  });
}

/** Returns a repository's mirror as the last fetch left it, or null if its address has none. */
export async function findMirror(
  dataDir: string,
  projectId: number,
  { id, address }: RepositoryPlan,
): Promise<string | null> {
  if (id === null) return null;
  const directory = repositoryDirectory(dataDir, projectId, id);
  const current = await readCurrent(directory);
  return current?.url === address.url
    ? await Deno.realPath(join(directory, current.directory))
    : null;
}

/**
 * Returns the commit of the plan's branch that the last fetch has left in the repository's mirror,
 * or null if there is none. Starts no process.
 */
export async function findFetched(
  dataDir: string,
  projectId: number,
  repository: RepositoryPlan,
): Promise<FetchedCommit | null> {
  // A mirror may be gone before it is read.
  const mirror = await findMirror(dataDir, projectId, repository).catch(() => null);
  const hash = mirror && await fetchedHead(mirror, repository.branch ?? "");
  return hash ? { mirror, hash } : null;
}

/**
 * Creates a new mirror. The old one stays until the server starts again: runs may be reading it.
 */
async function fetchAnew(
  directory: string,
  context: RunContext,
  access: GitAccess,
  repository: RepositoryPlan,
): Promise<MirroredCommit> {
  const name = `${crypto.randomUUID()}.git`;
  const mirror = join(await Deno.realPath(directory), name);
  try {
    const fetched = await fetchIntoNew(mirror, context, access, repository);
    const current: Current = { url: access.address.url, directory: name };
    // The name is new because a play may have put a link to another file under an expected name.
    const made = join(directory, `${name}.current`);
    await Deno.writeTextFile(made, JSON.stringify(current), { mode: 0o600, createNew: true });
    await Deno.rename(made, join(directory, "current"));
    return fetched;
  } catch (error) {
    await removeTree(mirror);
    throw error;
  }
}

async function fetchIntoNew(
  mirror: string,
  context: RunContext,
  access: GitAccess,
  repository: RepositoryPlan,
): Promise<MirroredCommit> {
  await makeRepository(mirror);
  await chownTreeToTask(context.env.isolation, mirror);
  return await fetchInto(mirror, context, access, repository);
}

/** Creates the files of `git init --bare`. This saves a process at the first start. */
async function makeRepository(mirror: string): Promise<void> {
  for (const path of ["objects/info", "objects/pack", "refs/heads"]) {
    await Deno.mkdir(join(mirror, path), { recursive: true, mode: 0o700 });
  }
  await Deno.writeTextFile(join(mirror, "HEAD"), "ref: refs/heads/main\n");
  await Deno.writeTextFile(
    join(mirror, "config"),
    "[core]\n\trepositoryformatversion = 0\n\tbare = true\n",
  );
}

async function readCurrent(directory: string): Promise<Current | null> {
  try {
    return JSON.parse(await readPlainFile(join(directory, "current")) ?? "null");
  } catch {
    return null;
  }
}

/** Removes mirrors that are no longer in use. Called while no run is using them. */
export async function pruneMirrors(dataDir: string): Promise<void> {
  for (const project of await subdirectories(repositoriesDirectory(dataDir))) {
    for (const repository of await subdirectories(project)) {
      const current = await readCurrent(repository);
      for (const mirror of await subdirectories(repository)) {
        if (!current || !mirror.endsWith(current.directory)) await removeTree(mirror);
        else await pruneLargeFiles(mirror);
      }
    }
  }
}
