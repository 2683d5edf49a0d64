import { linkedAbort, unlessAborted, whenAborted } from "../base/time/abort.ts";
import { after } from "../base/time/after.ts";
import { isDiskFull } from "../base/machine/disk_space.ts";
import { AppError, type Sentence } from "../base/errors.ts";
import { secretsIn } from "../base/secret.ts";
import { removeContainers } from "./ansible/container.ts";
import type { AnsiblePlan } from "./ansible/plan.ts";
import { runPlaybook } from "./ansible/playbook.ts";
import { withToolchain } from "./ansible/toolchains/toolchain.ts";
import { openWorkspace } from "./git/workspace.ts";
import { runLog } from "./log/run_log.ts";
import { type RunContext, runError, withContext } from "./run/context.ts";
import type { RunEnvironment } from "./run/environment.ts";
import { waitText, whenSpace } from "./run/full_disk.ts";
import type { RunIo, RunOutcome } from "./run/io.ts";
import type { PlanStorage } from "./sources/plan_storage.ts";
import { presentSecrets, withSecrets } from "./sources/resolve.ts";

/**
 * Time for a run to end after it was force-stopped. Its processes are killed by then, whatever they
 * do, so only what no signal reaches is left, such as a disk that does not answer.
 */
const FORCED_MS = 20_000;

/**
 * Runs `plan` to its end. Never throws: the outcome reports every failure. It always ends within
 * `forcedMs` after a force stop.
 */
export async function runTask(
  env: RunEnvironment,
  plan: AnsiblePlan,
  io: RunIo,
  forcedMs = FORCED_MS,
): Promise<RunOutcome> {
  const forced = new AbortController();
  let cancel = () => {};
  const release = whenAborted(io.forceStop, () => {
    cancel = after(forcedMs, () => forced.abort());
  });
  try {
    return await unlessAborted(carryOut(env, plan, io), forced.signal);
  } catch {
    return { end: "stopped", reason: null };
  } finally {
    release();
    cancel();
  }
}

async function carryOut(
  env: RunEnvironment,
  plan: AnsiblePlan,
  io: RunIo,
): Promise<RunOutcome> {
  const halt = haltOf(env, io);
  let outcome: RunOutcome = { end: "success", reason: null };
  try {
    await runWithSpace(env, plan, io, halt.signal);
  } catch (error) {
    const reason = isDiskFull(error) ? { key: env.fullDisk.reason } : reasonOf(error);
    outcome = { end: "error", reason };
  } finally {
    halt.release();
  }
  if (!halt.signal.aborted) return outcome;
  const cause: unknown = halt.signal.reason;
  if (!(cause instanceof AppError)) return { end: "stopped", reason: null };
  return { end: "error", reason: reasonOf(cause) };
}

/** Combines all signals that end a run early. The first cause wins. */
function haltOf({ timeLimits: { taskMs } }: RunEnvironment, { stop, forceStop }: RunIo) {
  const halt = linkedAbort(stop, forceStop);
  const seconds = Math.round(taskMs / 1000);
  const cancelDeadline = after(
    taskMs || Infinity,
    () => halt.abort(runError("errors.run.time_limit", { seconds })),
  );
  return {
    signal: halt.signal,
    release() {
      cancelDeadline();
      halt.release();
    },
  };
}

/** Returns the reason to show. An unforeseen failure is shown with its own message. */
function reasonOf(error: unknown): Sentence {
  if (error instanceof AppError) return { key: error.key, params: error.params };
  const detail = error instanceof Error ? error.message : String(error);
  return { key: "errors.run.unforeseen", params: { detail } };
}

/** Begins again with the first phase while the disk is full, unless the play has started. */
async function runWithSpace(
  env: RunEnvironment,
  plan: AnsiblePlan,
  io: RunIo,
  stop: AbortSignal,
): Promise<void> {
  const played = await whenSpace(
    env,
    stop,
    async () => {
      let isStarted = false;
      const onStarted = () => {
        isStarted = true;
        return io.onStarted();
      };
      return await runPhases(env, plan, { ...io, onStarted }, stop).catch((failure) => {
        if (!isStarted) throw failure;
        return { failure };
      });
    },
    (seconds) => runLog(presentSecrets(plan), io.writeLine).say(waitText(env, seconds)),
  );
  if (played) throw played.failure;
}

async function runPhases(
  env: RunEnvironment,
  plan: AnsiblePlan,
  io: RunIo,
  stop: AbortSignal,
): Promise<void> {
  stop.throwIfAborted();
  const { projectId } = plan;
  const onWait = waitLine(plan, io);
  await withSecrets(
    env,
    plan,
    { projectId, stop, forceStop: io.forceStop, onWait },
    (plan) => runWithSecrets(env, plan, io, stop),
  );
}

/** Says in the log that a run waits for a storage. None of its secrets is known yet. */
function waitLine(plan: AnsiblePlan, io: RunIo) {
  const { say } = runLog(presentSecrets(plan), io.writeLine);
  return ({ name, waitMs }: PlanStorage, why: string) =>
    say(
      `The secret storage "${name}" is unavailable (${why}). Trying again for up to ` +
        `${Math.round(waitMs / 1000)} seconds.`,
    );
}

async function runWithSecrets(
  env: RunEnvironment,
  plan: AnsiblePlan,
  io: RunIo,
  stop: AbortSignal,
): Promise<void> {
  const stage = {
    projectId: plan.projectId,
    name: String(plan.taskId),
    log: runLog(secretsIn(plan), io.writeLine),
    stop,
    forceStop: io.forceStop,
  };
  await withContext(env, stage, async (machine) => {
    const context = await withAnsible(machine, plan, io);
    const workspace = await openWorkspace(context, plan.repository, "checkout");
    try {
      if (workspace.commit) await io.onCheckout(workspace.commit);
      await runPlaybook(context, plan, workspace, io);
    } finally {
      await workspace.close();
      await removeContainers(context);
    }
  });
}

/** Returns the run with the Ansible of its toolchain, if it has one. */
async function withAnsible(
  context: RunContext,
  { toolchain }: AnsiblePlan,
  io: RunIo,
): Promise<RunContext> {
  if (!toolchain) return context;
  const tooled = await withToolchain(context, toolchain);
  await io.onAnsible?.(tooled.version);
  return tooled.context;
}
