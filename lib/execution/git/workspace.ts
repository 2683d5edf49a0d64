import { join } from "node:path";
import { git, type GitAccess, openAccess } from "./git.ts";
import { giveTreeAway } from "../process/isolation.ts";
import { fetchCommit, type MirroredCommit } from "./mirror.ts";
import type { Commit, RepositoryPlan } from "../run/plan.ts";
import { collectProcess } from "../process/supervise.ts";
import { parseRepositoryUrl } from "./address.ts";
import { type RunContext, runError } from "../run/context.ts";
import type { RunEnvironment } from "../runner.ts";
import { createTaskDirectory } from "../process/task_directory.ts";

/** The files of a repository as one run sees them. */
export interface Workspace {
  directory: string;
  /** Null for a folder used in place. */
  commit: Commit | null;
  /** Variables with which git reaches the repository, until the workspace is closed. */
  gitEnv: Record<string, string>;
  close(): Promise<void>;
}

/** Makes a checkout of the run's own; `name` keeps several of one run apart. */
export async function openWorkspace(
  context: RunContext,
  repository: RepositoryPlan,
  name: string,
): Promise<Workspace> {
  const address = parseRepositoryUrl(repository.url);
  if (address.kind === "local") {
    if (repository.ofBranch) {
      throw runError("errors.run.folder_has_no_commits", { path: address.url });
    }
    return await openFolder(context, address.url);
  }
  if (repository.branch === null) throw runError("errors.run.branch_missing", { branch: "" });
  const to = { ...address, branch: repository.branch };
  let access: GitAccess | null = null;
  try {
    await context.say(`Updating repository ${to.url}, branch ${to.branch}`);
    access = await openAccess(context, repository, name);
    const mirrored = await fetchCommit(context, access, repository);
    const directory = join(context.directory.path, name);
    const commit = await checkOut(context, access, mirrored, directory);
    await context.say(`Checked out ${commit.hash.slice(0, 8)} "${commit.message}"`);
    return { directory, commit, gitEnv: access.env, close: access.close };
  } catch (error) {
    await access?.close();
    if (context.supervision.stop.aborted) throw error;
    await context.say(`Failed updating repository ${to.url}, branch ${to.branch}`);
    const said = error instanceof Error && typeof error.cause === "string" ? error.cause : "";
    for (const line of said.split("\n").filter(Boolean)) await context.say(`  ${line}`);
    throw withBranch(error, to.branch);
  }
}

/** Sentences about a branch tell which. */
function withBranch(error: unknown, branch: string): unknown {
  if (error instanceof Error && "params" in error) {
    Object.assign(error.params as object, { branch });
  }
  return error;
}

async function openFolder(context: RunContext, path: string): Promise<Workspace> {
  const { exitCode } = await collectProcess(
    {
      // By the shell, since the server itself may read its own folders only.
      command: ["sh", "-c", '[ -d "$1" ] && [ -r "$1" ] && [ -x "$1" ]', "sh", path],
      cwd: context.directory.path,
      env: { PATH: context.env.path },
      limitMs: context.env.timeLimits.gitMs,
    },
    context.supervision,
  );
  if (exitCode !== 0) throw runError("errors.run.folder_missing", { path });
  await context.say(`Using the folder ${path}`);
  return { directory: path, commit: null, gitEnv: {}, close: () => Promise.resolve() };
}

/** Makes a working tree that borrows the mirror's objects, so that runs cannot disturb each other. */
async function checkOut(
  context: RunContext,
  access: GitAccess,
  { mirror, hash }: MirroredCommit,
  directory: string,
): Promise<Commit> {
  await makeRepository(directory, mirror, hash, access.address.url);
  await giveTreeAway(context.env.isolation, directory);
  const [, message] = await Promise.all([
    git(context, access, directory, ["checkout", "--quiet", "--detach", "--force", hash]),
    git(context, access, mirror, ["log", "-1", "--no-show-signature", "--format=%B", hash]),
  ]);
  await updateSubmodules(context, access, directory);
  return { hash, message: message.trimStart().split("\n")[0]!.trim() };
}

/** What `git init` makes, with the mirror's objects: one process less in every start. */
async function makeRepository(directory: string, mirror: string, hash: string, url: string) {
  const git = join(directory, ".git");
  await Deno.mkdir(join(git, "objects", "info"), { recursive: true, mode: 0o700 });
  await Deno.mkdir(join(git, "refs"), { mode: 0o700 });
  const quoted = url.replace(/["\\]/g, "\\$&");
  await Promise.all(
    Object.entries({
      "HEAD": "ref: refs/heads/main\n",
      "config": `[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote "origin"]\n` +
        `\turl = "${quoted}"\n`,
      "objects/info/alternates": `${mirror}/objects\n`,
      "shallow": `${hash}\n`,
    }).map(([name, text]) => Deno.writeTextFile(join(git, name), text)),
  );
}

async function updateSubmodules(context: RunContext, access: GitAccess, directory: string) {
  const some = await Deno.stat(join(directory, ".gitmodules")).then(() => true, () => false);
  if (!some) return;
  await context.say("Updating submodules");
  const update = (...depth: string[]) =>
    git(context, access, directory, [
      "submodule",
      "--quiet",
      "update",
      "--init",
      "--recursive",
      "--force",
      ...depth,
    ]);
  try {
    await update("--depth=1");
  } catch (error) {
    if (context.supervision.stop.aborted) throw error;
    // Some servers give out single commits only when they are a branch's newest.
    await update().catch((error) => {
      throw context.supervision.stop.aborted ? error : submoduleFailure(error);
    });
  }
}

/** What git says of a submodule's repository is not true of the one it is in. */
function submoduleFailure(error: Error): Error {
  if (error.cause === undefined) return error;
  return Object.assign(runError("errors.run.submodules_failed"), { cause: error.cause });
}

/** The newest commit of exactly the plan's branch, without fetching anything. */
export async function remoteCommit(
  env: RunEnvironment,
  projectId: number,
  repository: RepositoryPlan,
  stop: AbortSignal = new AbortController().signal,
): Promise<string> {
  const directory = await createTaskDirectory(env, projectId, `remote-${crypto.randomUUID()}`);
  const context: RunContext = {
    env,
    projectId,
    directory,
    supervision: {
      directory: directory.path,
      enclosure: directory.enclosure,
      graceMs: env.graceMs,
      stop,
      forceStop: stop,
    },
    say: () => Promise.resolve(),
    pipe: () => ({ write: () => Promise.resolve(), end: () => Promise.resolve() }),
  };
  try {
    const access = await openAccess(context, repository, "repository");
    try {
      return await listBranch(context, access, repository);
    } finally {
      await access.close();
    }
  } finally {
    await directory.remove();
  }
}

async function listBranch(context: RunContext, access: GitAccess, { branch }: RepositoryPlan) {
  const { url, kind } = access.address;
  if (kind === "local") throw runError("errors.run.folder_has_no_commits", { path: url });
  const ref = `refs/heads/${branch}`;
  const listed = await git(context, access, context.directory.path, [
    "ls-remote",
    "--quiet",
    "--",
    url,
    ref,
  ]);
  // The pattern fits names that merely end so, too.
  const line = listed.split("\n").map((line) => line.split("\t")).find(([, name]) => name === ref);
  if (!line) throw runError("errors.run.branch_missing", { branch: branch ?? "" });
  return line[0]!;
}
