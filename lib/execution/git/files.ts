import { type RunContext, runError } from "../run/context.ts";
import type { RunEnvironment } from "../run/environment.ts";
import type { RepositoryPlan } from "../run/plan.ts";
import type { GitAccess } from "./access.ts";
import { inFolder } from "./contents.ts";
import type { FetchedCommit } from "./fetch.ts";
import { git } from "./git.ts";
import { fetchCommit, findFetched } from "./mirror.ts";
import { remoteHead, withRemote } from "./remote.ts";

/** Longest text of a file, in characters. One that is longer is cut after one more. */
export const FILE_LENGTH_MAX = 256 * 1024;

/** Files of a repository. */
export interface RepositoryFiles {
  /** The commit that has them; null for a folder that is used in place. */
  commit: string | null;
  /** The text is null if there is no such file. */
  files: { path: string; text: string | null }[];
}

/**
 * Reads files of the plan's commit, or of the latest one of its branch, without a checkout. Throws
 * if runs could not reach the repository.
 */
export function repositoryFiles(
  env: RunEnvironment,
  projectId: number,
  repository: RepositoryPlan,
  paths: readonly string[],
  stop: AbortSignal,
): Promise<RepositoryFiles> {
  const readAll = async (read: (path: string) => Promise<string | null>) => {
    const files: RepositoryFiles["files"] = [];
    for (const path of paths) {
      files.push({ path, text: (await read(path))?.slice(0, FILE_LENGTH_MAX + 1) ?? null });
    }
    return files;
  };
  if (repository.address.kind === "local") {
    return inFolder(env, projectId, repository, stop, async (context, access, folder) => ({
      commit: null,
      files: await readAll((path) => readInFolder(context, access, folder, path)),
    }));
  }
  return withRemote(env, projectId, repository, stop, async (context, access) => {
    const { mirror, hash } = await bringCommit(context, access, repository);
    const files = await readAll((path) =>
      whole(context, git(context, access, mirror, ["cat-file", "blob", `${hash}:${path}`]))
        .then((text) => refusePointer(path, text))
    );
    return { commit: hash, files };
  });
}

/** Throws for a pointer of Git LFS, which is read without a checkout. */
function refusePointer(path: string, text: string | null): string | null {
  if (text?.startsWith("version https://git-lfs.")) throw runError("errors.run.lfs_file", { path });
  return text;
}

/** Returns the wanted commit in the mirror. Fetches it only if the branch has moved. */
async function bringCommit(
  context: RunContext,
  access: GitAccess,
  repository: RepositoryPlan,
): Promise<FetchedCommit> {
  if (repository.commit !== null) return await fetchCommit(context, access, repository);
  const head = await remoteHead(context, access, repository.branch ?? "");
  const fetched = await findFetched(context.env.dataDir, context.projectId, repository);
  return fetched?.hash === head ? fetched : await fetchCommit(context, access, repository);
}

/**
 * Reads a file of a folder with git, which follows no link: a task may have put one there. An empty
 * pattern finds each line.
 */
const readInFolder = (context: RunContext, access: GitAccess, folder: string, path: string) =>
  whole(
    context,
    git(context, access, context.directory.path, [
      ...["--literal-pathspecs", "-c", "safe.directory=*", "-C", folder],
      ...["grep", "--no-index", "-I", "-h", "-e", "", "--", path],
    ]),
  );

/** Returns the output of git; null if it has not found the file. */
async function whole(context: RunContext, output: Promise<string>): Promise<string | null> {
  try {
    return await output;
  } catch (error) {
    context.supervision.stop.throwIfAborted();
    const said = error instanceof Error ? error.cause : undefined;
    if (
      said === "" || /does not exist|exists on disk|bad file|Not a valid object/i.test(`${said}`)
    ) {
      return null;
    }
    throw error;
  }
}
