import type { RunEnvironment } from "../run/environment.ts";
import type { RepositoryPlan } from "../run/plan.ts";
import { remoteHead, withRemote } from "./remote.ts";

/** Returns the latest commit of exactly the plan's branch or tag, without fetching anything. */
export const remoteCommit = (
  env: RunEnvironment,
  projectId: number,
  repository: RepositoryPlan,
  stop: AbortSignal = new AbortController().signal,
): Promise<string> =>
  withRemote(
    env,
    projectId,
    repository,
    stop,
    (context, access) => remoteHead(context, access, repository.branch ?? ""),
  );
