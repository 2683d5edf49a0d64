import { silentLog } from "../log/run_log.ts";
import { createTaskDirectory } from "../process/task_directory.ts";
import { type RunContext, runError } from "../run/context.ts";
import type { RunEnvironment } from "../run/environment.ts";
import type { RepositoryPlan } from "../run/plan.ts";
import { type GitAccess, openAccess } from "./access.ts";
import { git } from "./git.ts";

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
    ...silentLog,
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
