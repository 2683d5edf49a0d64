import { runError } from "../run/context.ts";
import type { RunEnvironment } from "../run/environment.ts";
import type { RepositoryPlan } from "../run/plan.ts";
import { remoteHeads, withRemote } from "./remote.ts";

/** Returns the latest commit of exactly the plan's branch, without fetching anything. */
export const remoteCommit = (
  env: RunEnvironment,
  projectId: number,
  repository: RepositoryPlan,
  stop: AbortSignal = new AbortController().signal,
): Promise<string> =>
  withRemote(env, projectId, repository, stop, async (context, access) => {
    const branch = repository.branch ?? "";
    const commit = (await remoteHeads(context, access, branch)).get(branch);
    if (!commit) throw runError("errors.run.branch_missing", { branch });
    return commit;
  });
