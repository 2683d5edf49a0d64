import type { ProjectScope } from "../access/scope.ts";
import { AppError } from "../base/errors.ts";
import type { PlaybookCache } from "../execution/git/contents.ts";
import { carryOutTest, type TestAnswers, type TestPlan } from "../runner/connection_tests.ts";
import { needsRunner } from "../runners/rows.ts";
import { testOnRunner } from "../runners/connection_tests.ts";
import { withinLimits } from "./limits.ts";
import { findProject } from "../model/projects.ts";

interface Where {
  /** Labels that the runner must have. */
  labels?: string[];
  kept?: PlaybookCache;
  limitMs?: number;
  /** Locale key of the reason why no runner may do it; missing if one may. */
  refusal?: string;
}

/** Carries out a connection test where a task would run. */
export async function carryOut<C extends TestPlan>(
  scope: ProjectScope,
  check: C,
  { labels = [], kept, limitMs, refusal }: Where = {},
): Promise<TestAnswers[C["kind"]]> {
  const { deps, projectId } = scope;
  const project = await findProject(deps.kv, projectId);
  const isRemote = needsRunner(labels, project);
  if (isRemote && refusal) throw new AppError(400, refusal);
  return await withinLimits(
    scope,
    (env, stop) =>
      isRemote
        ? testOnRunner(deps, { projectId, labels }, check, stop)
        : carryOutTest(env, projectId, check, { stop, kept }),
    limitMs,
  );
}
