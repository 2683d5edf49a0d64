import type { PublicDeps } from "../../access/deps.ts";
import type { PollAnswer, TestReport } from "../../runner/protocol.ts";
import { boundTo, sealPlan } from "../../runner/seal.ts";
import { authenticateRunner, requireProtocol } from "../../runners/authenticate.ts";
import { answerCheck, takeTest } from "../../runners/connection_tests.ts";
import type { RunnerRow } from "../../runners/rows.ts";
import type { RunnerDeps } from "./remote.ts";

/** Returns a connection test as a runner gets it; null if none waits that it can take. */
export async function offerTest(
  { kv }: Pick<RunnerDeps, "kv">,
  runner: RunnerRow,
): Promise<PollAnswer["check"]> {
  const taken = takeTest(kv, runner);
  if (!taken) return null;
  const { id, projectId, check } = taken;
  const plan = await sealPlan(check, runner.public_key!, boundTo(runner.id, id));
  return { check: id, project_id: projectId, plan };
}

/** Takes a runner's answer to a connection test. */
export async function takeTestReport(
  deps: PublicDeps,
  headers: Headers,
  id: string,
  report: TestReport,
): Promise<Record<string, never>> {
  requireProtocol(headers);
  answerCheck(deps.kv, await authenticateRunner(deps, headers), id, report);
  return {};
}
