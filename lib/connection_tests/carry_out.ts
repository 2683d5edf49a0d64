import type { ProjectRow } from "../access/rows.ts";
import type { ProjectScope } from "../access/scope.ts";
import type { PlaybookCache } from "../execution/git/contents.ts";
import { rowKeys } from "../kv/keys.ts";
import { carryOutTest, type TestAnswers, type TestPlan } from "../runner/checks.ts";
import { needsRunner } from "../runners/rows.ts";
import { checkOnRunner } from "../runners/checks.ts";
import { withinLimits } from "./limits.ts";

interface Where {
  /** Labels that the runner must have. */
  labels?: string[];
  kept?: PlaybookCache;
  limitMs?: number;
}

/** Carries out a connection test where a task would run. */
export async function carryOut<C extends TestPlan>(
  scope: ProjectScope,
  check: C,
  { labels = [], kept, limitMs }: Where = {},
): Promise<TestAnswers[C["kind"]]> {
  const { deps, projectId } = scope;
  const project = (await deps.kv.get<ProjectRow>(rowKeys.project(projectId))).value;
  const isRemote = needsRunner(labels, project);
  return await withinLimits(
    scope,
    (env, stop) =>
      isRemote
        ? checkOnRunner(deps, { projectId, labels }, check, stop)
        : carryOutTest(env, projectId, check, { stop, kept }),
    limitMs,
  );
}
