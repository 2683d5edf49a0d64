import type { ProjectScope } from "../access/scope.ts";
import { grants } from "../access/permissions.ts";
import { AppError } from "../base/errors.ts";
import { commitsBetween } from "../execution/git/history.ts";
import { repositoryOf } from "../parts/run_parts.ts";
import { withinLimits } from "../probes/limits.ts";
import type { CommitsPart, Pair } from "./schema.ts";

/**
 * Returns the commits between both tasks; null if both have the same commit, or one has none.
 * Fetching the history requires the right to run tasks, because running one fetches it, too.
 */
export async function commitsOf(
  scope: ProjectScope,
  { run, base }: Pair,
  isFetched: boolean,
): Promise<CommitsPart | null> {
  const [from, to] = [base.commit_hash, run.commit_hash];
  if (!from || !to || from === to) return null;
  const mayFetch = grants(scope.permissions, "run_tasks");
  const fetch = isFetched && mayFetch;
  const none = { commits: [], isMore: false, isBack: false, mayFetch: mayFetch && !fetch };
  if (run.repository_id !== base.repository_id) {
    return { ...none, mayFetch: false, reason: { key: "compare.other_repository" } };
  }
  try {
    const branch = run.git_branch;
    const plan = await repositoryOf(scope.deps, scope.projectId, run.repository_id, { branch });
    const found = await withinLimits(
      scope,
      (env, stop) => commitsBetween(env, scope.projectId, plan, { from, to, fetch, stop }),
    );
    return found
      ? { ...found, reason: null, mayFetch: false }
      : { ...none, reason: { key: fetch ? "compare.no_way" : "compare.not_fetched" } };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ...none, reason: { key: error.key, params: error.params } };
  }
}
