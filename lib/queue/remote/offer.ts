import { inTurn } from "../../store/transact.ts";
import type { PollAnswer } from "../../runner/protocol.ts";
import { requireAbilities, requireNothingKept, requirePortable } from "../../runner/portable.ts";
import { boundTo, sealPlan } from "../../runner/seal.ts";
import type { RunnerRow } from "../../runners/rows.ts";
import type { OpenTask } from "../../tasks/open_tasks.ts";
import { findTask } from "../../model/tasks.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { planFailed } from "../running/execute.ts";
import { makePlan } from "../plan/make_plan.ts";
import { requireTrustedRunner } from "../inputs/personal.ts";
import { type LiveRun, openLiveRun } from "./live_run.ts";
import type { RunnerDeps } from "./remote.ts";
import { findRemoteRun, type RemoteRunRow } from "./rows.ts";

type OfferedRun = NonNullable<PollAnswer["run"]>;

/**
 * Returns a claimed task as its runner gets it. The run begins with the first offer. Returns null
 * if it has ended meanwhile, which it does immediately if it was stopped or has no valid plan.
 */
export const offerRun = (
  deps: RunnerDeps,
  runner: RunnerRow,
  open: OpenTask,
): Promise<OfferedRun | null> =>
  inTurn(deps.kv, `remote run ${open.id}`, async () => {
    const task = await findTask(deps.kv, open.project_id, open.id);
    const begun = task && await beginRun(deps, task);
    if (!begun) return null;
    try {
      if (task.stop !== "") return await end(deps, task, begun, { end: "stopped", reason: null });
      return await offered(deps, runner, task, begun.run);
    } catch (error) {
      return await end(deps, task, begun, planFailed(deps, task, error));
    }
  });

/** An execution that was offered, with the run if this server takes its reports. */
interface Begun {
  run: string;
  linesBefore: number;
  live: LiveRun | null;
}

async function beginRun(deps: RunnerDeps, task: TaskRow): Promise<Begun | null> {
  const { kv, remote: { server, runs } } = deps;
  const entry = await findRemoteRun(kv, task.id);
  if (!entry) return null;
  const { run, lines_before } = entry.value;
  if (lines_before !== null) {
    return { run, linesBefore: lines_before, live: runs.get(task.id) ?? null };
  }
  const live = await openLiveRun(deps, task, run);
  const { linesBefore } = live.recorder;
  const begun = deps.clock.now().getTime();
  const row: RemoteRunRow = { ...entry.value, server, lines_before: linesBefore, begun };
  const stored = await kv.atomic().check(entry).set(entry.key, row).commit();
  if (!stored.ok) return null;
  runs.set(task.id, live);
  return { run, linesBefore, live };
}

async function offered(
  deps: RunnerDeps,
  runner: RunnerRow,
  task: TaskRow,
  run: string,
): Promise<OfferedRun> {
  requireTrustedRunner(deps, task, runner);
  const plan = await makePlan(deps, task);
  requirePortable(plan.repository, plan.inventory.repository);
  requireNothingKept(plan);
  requireAbilities(runner, plan);
  return {
    task_id: task.id,
    run,
    project_id: task.project_id,
    plan: await sealPlan({ kind: "playbook", plan }, runner.public_key!, boundTo(runner.id, run)),
    time_limit_ms: deps.config.taskTimeLimitMs,
    output_bytes_max: deps.config.taskOutputBytesMax,
  };
}

/** Ends a run that its runner has not begun. */
async function end(
  deps: RunnerDeps,
  task: TaskRow,
  { run, linesBefore, live }: Begun,
  outcome: Parameters<LiveRun["recorder"]["end"]>[0],
): Promise<null> {
  const { recorder } = live ?? await openLiveRun(deps, task, run, linesBefore);
  await recorder.end(outcome);
  deps.remote.runs.delete(task.id);
  return null;
}
