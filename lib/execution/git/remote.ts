import { silentLog } from "../log/run_log.ts";
import { type RunContext, runError, withContext } from "../run/context.ts";
import type { RunEnvironment } from "../run/environment.ts";
import type { RepositoryPlan } from "../run/plan.ts";
import { withSecrets } from "../sources/resolve.ts";
import { type GitAccess, openAccess } from "./access.ts";
import { git } from "./git.ts";

/** Runs `work` with access to a repository as runs have it, independently of any run. */
export const withRemote = <T>(
  env: RunEnvironment,
  projectId: number,
  repository: RepositoryPlan,
  stop: AbortSignal,
  ask: (context: RunContext, access: GitAccess) => Promise<T>,
): Promise<T> => {
  const stage = {
    projectId,
    name: `remote-${crypto.randomUUID().slice(0, 8)}`,
    log: silentLog,
    stop,
  };
  return withSecrets(
    env,
    repository,
    { projectId, stop },
    (repository) =>
      withContext(env, stage, async (context) => {
        const access = await openAccess(context, repository, "repository");
        try {
          return await ask(context, access);
        } finally {
          await access.close();
        }
      }),
  );
};

/** Returns the latest commit of all branches of a repository, or of one, without fetching. */
export async function remoteHeads(
  context: RunContext,
  access: GitAccess,
  branch: string | null = null,
): Promise<Map<string, string>> {
  const { url, kind } = access.address;
  if (kind === "local") throw runError("errors.run.folder_has_no_commits", { path: url });
  const cwd = context.directory.path;
  const listed = await git(context, access, cwd, [
    "ls-remote",
    "--quiet",
    "--heads",
    "--",
    url,
    ...branch === null ? [] : [HEADS + branch],
  ]);
  const heads = listed.split("\n").map((line) => line.split("\t"))
    .filter(([, name]) => name?.startsWith(HEADS))
    .map(([hash, name]) => [name.slice(HEADS.length), hash] as const)
    // The pattern also matches names that only end with the branch's.
    .filter(([name]) => branch === null || name === branch);
  return new Map(heads);
}

const HEADS = "refs/heads/";
