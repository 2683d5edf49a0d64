import { silentLog } from "../log/run_log.ts";
import { type RunContext, runError, withContext } from "../run/context.ts";
import type { RunEnvironment } from "../run/environment.ts";
import type { RepositoryPlan } from "../run/plan.ts";
import { withSecrets } from "../sources/resolve.ts";
import { type GitAccess, openAccess } from "./access.ts";
import { git } from "./git.ts";
import { commitId, HEADS, refMissing, refsOf, TAGS } from "./ref.ts";

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

/** The latest commits of branches and tags, by name. */
export interface RemoteHeads {
  branches: Map<string, string>;
  tags: Map<string, string>;
}

/** Returns branches and tags of a repository, or those that a name can mean, without fetching. */
export async function remoteHeads(
  context: RunContext,
  access: GitAccess,
  branch: string | null = null,
): Promise<RemoteHeads> {
  const { url, kind } = access.address;
  if (kind === "local") throw runError("errors.run.folder_has_no_commits", { path: url });
  const cwd = context.directory.path;
  const wanted = branch === null ? [] : refsOf(branch).flatMap((ref) => [ref, ref + PEELED]);
  const listed = await git(context, access, cwd, [
    ...["ls-remote", "--quiet", "--heads", "--tags", "--", url, ...wanted],
  ]);
  const heads = listed.split("\n").map((line) => line.split("\t"))
    // The pattern also matches names that only end with the branch's.
    .filter(([, ref]) => ref && (branch === null || wanted.includes(ref)));
  const below = (prefix: string) =>
    new Map(
      heads.filter(([, ref]) => ref.startsWith(prefix))
        // The commit of a tag that is an object of its own follows the object.
        .map(([hash, ref]) => [ref.slice(prefix.length).replace(PEELED, ""), hash] as const),
    );
  return { branches: below(HEADS), tags: below(TAGS) };
}

const PEELED = "^{}";

/** Returns the commit that a branch, a tag or an id names, as far as it was listed. */
export function headIn({ branches, tags }: RemoteHeads, branch: string): string {
  const commit = commitId(branch) ?? refsOf(branch)
    .map((ref) =>
      ref.startsWith(TAGS)
        ? tags.get(ref.slice(TAGS.length))
        : branches.get(ref.slice(HEADS.length))
    ).find(Boolean);
  if (!commit) throw refMissing(branch);
  return commit;
}

/** Returns the latest commit of a branch or a tag, or the commit that is named. */
export const remoteHead = async (
  context: RunContext,
  access: GitAccess,
  branch: string,
): Promise<string> =>
  commitId(branch) ?? headIn(await remoteHeads(context, access, branch), branch);
