import { dirname, join } from "node:path";
import { git, type GitAccess, isFinal } from "./git.ts";
import { withLock } from "../process/lock.ts";
import type { RepositoryPlan } from "../run/plan.ts";
import { type RunContext, runError } from "../run/context.ts";
import { makeOwn, makePassage } from "../process/isolation.ts";
import { readPlainFile, removeTree } from "../process/task_directory.ts";

/** A commit that lies in a repository's mirror. */
export interface MirroredCommit {
  /** The bare repository. */
  mirror: string;
  hash: string;
}

/** Which of a repository's mirrors is in use. */
interface Current {
  url: string;
  directory: string;
}

const HASH = /^[0-9a-f]{40,64}$/;

/** Each fetch adds a pack; past these they are made one. */
const PACKS_MAX = 40;

const repositoriesDirectory = (dataDir: string) => join(dataDir, "repositories");

/** Folder of what a repository has on disk; removed with the repository. */
export const repositoryDirectory = (dataDir: string, projectId: number, repositoryId: number) =>
  join(repositoriesDirectory(dataDir), String(projectId), String(repositoryId));

/**
 * Brings the wanted commit into the repository's mirror: its branch's newest, or `commit`. One fetch
 * at a time; what earlier runs fetched stays, since other runs may be using it.
 */
export async function fetchCommit(
  context: RunContext,
  access: GitAccess,
  repository: RepositoryPlan,
): Promise<MirroredCommit> {
  const { dataDir, isolation } = context.env;
  const directory = repositoryDirectory(dataDir, context.projectId, repository.id);
  const project = dirname(directory);
  for (const path of [dirname(project), project, directory]) await makePassage(isolation, path);
  return await withLock(join(directory, "lock"), context.supervision.stop, async () => {
    const current = await readCurrent(directory);
    if (current?.url === access.address.url) {
      try {
        return await fetchInto(join(directory, current.directory), context, access, repository);
      } catch (error) {
        if (isFinal(error) || context.supervision.stop.aborted) throw error;
        await context.say("The local copy of the repository cannot be used. Making a new one.");
      }
    }
    return await fetchAnew(directory, context, access, repository);
  });
}

/** Makes a new mirror. The old one stays until the server starts again: runs may be reading it. */
async function fetchAnew(
  directory: string,
  context: RunContext,
  access: GitAccess,
  repository: RepositoryPlan,
): Promise<MirroredCommit> {
  const name = `${crypto.randomUUID()}.git`;
  const mirror = join(await Deno.realPath(directory), name);
  try {
    await makeOwn(context.env.isolation, mirror);
    await git(context, access, mirror, ["init", "--quiet", "--bare", "--template="]);
    const fetched = await fetchInto(mirror, context, access, repository);
    const current: Current = { url: access.address.url, directory: name };
    // Under a new name: a play may have put a link to another file where one could expect it.
    const made = join(directory, `${name}.current`);
    await Deno.writeTextFile(made, JSON.stringify(current), { mode: 0o600, createNew: true });
    await Deno.rename(made, join(directory, "current"));
    return fetched;
  } catch (error) {
    await removeTree(mirror);
    throw error;
  }
}

async function readCurrent(directory: string): Promise<Current | null> {
  try {
    return JSON.parse(await readPlainFile(join(directory, "current")) ?? "null");
  } catch {
    return null;
  }
}

async function fetchInto(
  path: string,
  context: RunContext,
  access: GitAccess,
  { branch, commit, ofBranch = false }: RepositoryPlan,
): Promise<MirroredCommit> {
  const mirror = await Deno.realPath(path);
  const run = (...args: string[]) => git(context, access, mirror, args);
  const ref = `refs/heads/${branch}`;
  const { url } = access.address;
  const fetch = (depth: string[], wanted: string) =>
    run(
      "fetch",
      "--quiet",
      "--no-tags",
      "--force",
      "--update-shallow",
      ...depth,
      "--",
      url,
      wanted,
    );
  const has = async (commit: string) =>
    await run("rev-parse", "--quiet", "--verify", `${commit}^{commit}`).then(
      (hash) => hash.trim(),
      () => null,
    );

  const newest = async () => {
    await shallowIfPossible((depth) => fetch(depth, `+${ref}:${ref}`));
    await packSometimes(mirror, run);
    // A fresh branch is a file of its own; asking git costs a process in every start.
    const read = (await readPlainFile(join(mirror, ref)))?.trim() ?? "";
    const hash = HASH.test(read) ? read : await run("rev-parse", "--verify", `${ref}^{commit}`);
    return { mirror, hash: hash.trim() };
  };
  const fetchHistory = async () => {
    const shallow = await Deno.stat(join(mirror, "shallow")).then(() => true, () => false);
    await fetch(shallow ? ["--unshallow"] : [], `+${ref}:${ref}`);
  };

  if (commit === null) return await newest();
  if (!/^[0-9a-f]{7,64}$/.test(commit)) throw runError("errors.run.commit_missing", { commit });
  if (ofBranch) {
    const head = await newest();
    if (head.hash.startsWith(commit)) return head;
    await fetchHistory();
    const hash = await has(commit);
    if (!hash) throw runError("errors.run.commit_missing", { commit });
    // Git answers by its exit code alone: whatever fails here, the commit stays out of reach.
    await run("merge-base", "--is-ancestor", hash, ref).catch(() => {
      context.supervision.stop.throwIfAborted();
      throw runError("errors.run.commit_not_of_branch", { commit, branch: branch ?? "" });
    });
    return { mirror, hash };
  }
  const known = await has(commit);
  if (known) return { mirror, hash: known };
  // Many servers give out single commits; others only what a branch's history holds.
  const single = await fetch(["--depth=1"], commit).then(() => has(commit), rethrowIfUnreachable);
  if (single) return { mirror, hash: single };
  await fetchHistory();
  const found = await has(commit);
  if (!found) throw runError("errors.run.commit_missing", { commit });
  return { mirror, hash: found };
}

/** Plain files behind a web server know no depth. */
async function shallowIfPossible(fetch: (depth: string[]) => Promise<unknown>): Promise<void> {
  try {
    await fetch(["--depth=1"]);
  } catch (error) {
    const said = error instanceof Error ? String(error.cause) : "";
    if (!/does not support shallow/.test(said)) throw error;
    await fetch([]);
  }
}

/** A server that refuses a single commit may still give the branch. */
function rethrowIfUnreachable(error: unknown): null {
  const hopeless = ["host_key_changed", "repository_key_refused", "repository_unreachable"];
  if (hopeless.some((name) => (error as { key?: string }).key === `errors.run.${name}`)) {
    throw error;
  }
  return null;
}

async function packSometimes(mirror: string, run: (...args: string[]) => Promise<string>) {
  const files = await Array.fromAsync(Deno.readDir(join(mirror, "objects", "pack")));
  if (files.filter((file) => file.name.endsWith(".pack")).length <= PACKS_MAX) return;
  await run("gc", "--quiet", "--prune=2.weeks.ago");
}

/** Removes mirrors that were given up, while no run is using them. */
export async function pruneMirrors(dataDir: string): Promise<void> {
  for (const project of await subdirectories(repositoriesDirectory(dataDir))) {
    for (const repository of await subdirectories(project)) {
      const current = await readCurrent(repository);
      for (const mirror of await subdirectories(repository)) {
        if (!current || !mirror.endsWith(current.directory)) await removeTree(mirror);
      }
    }
  }
}

async function subdirectories(path: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(path)).catch(() => []);
  return entries.filter((entry) => entry.isDirectory).map((entry) => join(path, entry.name));
}
