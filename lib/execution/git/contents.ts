import { silentLog } from "../log/run_log.ts";
import { collectProcess } from "../process/supervise.ts";
import { type RunContext, runError, withContext } from "../run/context.ts";
import type { RunEnvironment } from "../run/environment.ts";
import type { RepositoryPlan } from "../run/plan.ts";
import type { GitAccess } from "./access.ts";
import type { FetchedCommit } from "./fetch.ts";
import { git } from "./git.ts";
import { fetchCommit } from "./mirror.ts";
import { refuseOwnFiles } from "./own_files.ts";
import { headIn, type RemoteHeads, remoteHeads, withRemote } from "./remote.ts";
import { staysInside } from "./url.ts";

/** Branches and playbooks that a repository offers. */
export interface RepositoryContents {
  /** Sorted by name. Empty for a folder that is used in place. */
  branches: string[];
  /** Highest number first. */
  tags: string[];
  /** Paths of the playbooks in the plan's branch, those in the root first. */
  playbooks: string[];
  /** The commit that has them; null for a folder that is used in place. */
  commit: string | null;
}

/** Cache of the playbooks of commits. */
export interface PlaybookCache {
  get(commit: string): string[] | undefined;
  set(commit: string, playbooks: string[]): void;
}

const NAMES_MAX = 1000;
const PLAYBOOKS_MAX = 1000;
/** Longest path that a template accepts. */
const PATH_MAX = 1000;

/**
 * Matches a play, which names its hosts or imports a file. In an inventory, nothing follows
 * `hosts:`.
 */
const PLAY = "^ {0,2}- +hosts *:|^ {1,4}hosts *: *[^ #{]|" +
  "^ {0,2}(- +|  )(ansible\\.builtin\\.)?import_playbook *:";
/** Files in these folders of Ansible's are never playbooks, whatever they look like. */
const OTHERS = /(^|\/)(roles|tasks|handlers|collections|group_vars|host_vars)\//;

/** Reads a repository without a checkout. Throws when it cannot be reached as runs reach it. */
export async function repositoryContents(
  env: RunEnvironment,
  projectId: number,
  repository: RepositoryPlan,
  { stop, kept }: { stop: AbortSignal; kept?: PlaybookCache },
): Promise<RepositoryContents> {
  if (repository.address.kind === "local") {
    const playbooks = await folderPlaybooks(env, projectId, repository, stop);
    return { branches: [], tags: [], playbooks, commit: null };
  }
  return await withRemote(env, projectId, repository, stop, async (context, access) => {
    const heads = await remoteHeads(context, access);
    const names = { branches: branchNames(heads), tags: tagNames(heads) };
    const head = headIn(heads, repository.branch ?? "");
    const known = kept?.get(head);
    if (known) return { ...names, playbooks: known, commit: head };
    const { mirror, hash } = await fetchCommit(context, access, repository);
    const playbooks = await findPlaybooks(context, access, mirror, hash);
    kept?.set(hash, playbooks);
    return { ...names, playbooks, commit: hash };
  });
}

/** Reads the playbooks of a commit that was fetched before. Uses neither network nor key. */
export const fetchedPlaybooks = (
  env: RunEnvironment,
  projectId: number,
  repository: RepositoryPlan,
  { mirror, hash }: FetchedCommit,
  stop: AbortSignal,
): Promise<string[]> =>
  withContext(
    env,
    stageOf(projectId, stop),
    (context) => findPlaybooks(context, localAccess(context, repository), mirror, hash),
  );

/** Returns the names of a repository's branches, sorted, at most 1,000. */
export const repositoryBranches = (
  env: RunEnvironment,
  projectId: number,
  repository: RepositoryPlan,
  stop: AbortSignal,
): Promise<string[]> =>
  withRemote(
    env,
    projectId,
    repository,
    stop,
    async (context, access) => branchNames(await remoteHeads(context, access)),
  );

const branchNames = ({ branches }: RemoteHeads) =>
  [...branches.keys()].toSorted().slice(0, NAMES_MAX);

const tagNames = ({ tags }: RemoteHeads) => {
  const { compare } = new Intl.Collator("en", { numeric: true });
  return [...tags.keys()].toSorted((a, b) => compare(b, a)).slice(0, NAMES_MAX);
};

const folderPlaybooks = (
  env: RunEnvironment,
  projectId: number,
  repository: RepositoryPlan,
  stop: AbortSignal,
): Promise<string[]> =>
  inFolder(
    env,
    projectId,
    repository,
    stop,
    (context, access, folder) => findPlaybooks(context, access, folder, null),
  );

/** Does `work` in the folder of a repository that is used in place. Throws if it is unreadable. */
export function inFolder<T>(
  env: RunEnvironment,
  projectId: number,
  repository: RepositoryPlan,
  stop: AbortSignal,
  work: (context: RunContext, access: GitAccess, folder: string) => Promise<T>,
): Promise<T> {
  return withContext(env, stageOf(projectId, stop), async (context) => {
    const { url } = repository.address;
    await requireFolder(context, url);
    await refuseOwnFiles(context, [url]);
    return await work(context, localAccess(context, repository), url);
  });
}

const stageOf = (projectId: number, stop: AbortSignal) => ({
  projectId,
  name: `folder-${crypto.randomUUID().slice(0, 8)}`,
  log: silentLog,
  stop,
});

/** Access for git commands that read only files of this server. */
const localAccess = ({ env }: RunContext, { address }: RepositoryPlan): GitAccess => ({
  address,
  env: { PATH: env.path },
  close: () => Promise.resolve(),
});

async function requireFolder({ env, directory, supervision }: RunContext, path: string) {
  const { exitCode } = await collectProcess(
    {
      // Done by the shell, since the server itself may read only its own folders.
      command: ["sh", "-c", '[ -d "$1" ] && [ -r "$1" ] && [ -x "$1" ]', "sh", path],
      cwd: directory.path,
      env: { PATH: env.path },
      limitMs: env.timeLimits.gitMs,
    },
    supervision,
  );
  if (exitCode !== 0) throw runError("errors.run.folder_missing", { path });
}

/**
 * Finds the playbooks of a commit in a mirror, or of a folder if null. Takes one process and no
 * checkout.
 */
async function findPlaybooks(
  context: RunContext,
  access: GitAccess,
  directory: string,
  commit: string | null,
): Promise<string[]> {
  const listed = await git(context, access, context.directory.path, [
    // A folder may be a repository of another account.
    ...["-c", "safe.directory=*", "-C", directory, "grep"],
    ...["--files-with-matches", "--null", "-I", "--extended-regexp", "-e", PLAY],
    commit ?? "--no-index",
    ...["--", "*.yml", "*.yaml"],
  ]).catch((error) => {
    context.supervision.stop.throwIfAborted();
    // Without a match git prints nothing and fails.
    if (error.cause !== "") throw error;
    return "";
  });
  const depth = (path: string) => path.split("/").length;
  return listed.split("\0").map((name) => commit ? name.slice(commit.length + 1) : name)
    .filter((path) => staysInside(path) && path.length <= PATH_MAX && !OTHERS.test(path))
    .toSorted((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1))
    .slice(0, PLAYBOOKS_MAX);
}
