import { linkedAbort } from "../base/abort.ts";
import type { Deps } from "../access/deps.ts";
import { AppError, type Sentence } from "../base/errors.ts";
import { recordEvent } from "../events/record.ts";
import type { RunEnvironment } from "../execution/run/environment.ts";
import type { RunIo, RunOutcome } from "../execution/run/io.ts";
import type { Commit } from "../execution/run/plan.ts";
import { runTask } from "../execution/runner.ts";
import { rowKeys } from "../kv/keys.ts";
import { orOvertaken, OVERTAKEN } from "../kv/transact.ts";
import { onChange } from "../kv/watch.ts";
import { describeError } from "../base/log.ts";
import { findFirstFailure } from "../results/first_failure.ts";
import { createResultWriter, type ResultWriter } from "../results/writer.ts";
import { systemActor, taskChanged, taskEvent } from "../tasks/changes.ts";
import { type LogWriter, openLog } from "../output/writer.ts";
import { endTask } from "./end_task.ts";
import { completePreview, logRunStart } from "./preview.ts";
import { fullBytesOf, makePlan } from "./make_plan.ts";
import { advance, amendTask } from "../tasks/steps.ts";
import { isPreviewing } from "../tasks/preview_state.ts";
import type { TaskRow } from "../tasks/schema.ts";

/** Context in which this server executes a claimed task. */
interface Execution {
  deps: Deps;
  environment: RunEnvironment;
  /** Aborted with an AppError when the server shuts down or has lost the task. */
  abandon: AbortSignal;
}

/** Executes a claimed task until its final status is stored. Never throws. */
export async function executeTask(execution: Execution, claimed: TaskRow): Promise<void> {
  const { deps } = execution;
  const { kv, hub, clock } = deps;
  const target = { kv, hub, clock, projectId: claimed.project_id, taskId: claimed.id };
  try {
    const writer = await openLog(target);
    const results = createResultWriter({
      ...target,
      isPreview: isPreviewing(claimed),
      fullBytesMax: fullBytesOf(deps, claimed),
      log: deps.log,
      output: writer,
    });
    await logRunStart(claimed, writer);
    const outcome = await runClaimed(execution, claimed, writer, results);
    await results.flush();
    await endRun(execution, claimed, writer, outcome);
  } catch (error) {
    // Only the store itself can fail here. The dispatcher ends the task as soon as it can.
    deps.log("error", "task_lost", { task: claimed.id, ...describeError(error) });
  }
}

async function runClaimed(
  { deps, environment, abandon }: Execution,
  claimed: TaskRow,
  writer: LogWriter,
  results: ResultWriter,
): Promise<RunOutcome> {
  const stop = linkedAbort(abandon);
  const force = new AbortController();
  const watching = onChange<[TaskRow]>(
    deps,
    // Watches the task's row, because any server that shares the store may request a stop.
    [rowKeys.task(claimed.project_id, claimed.id)],
    ([{ value }]) => {
      if (value?.stop) stop.abort();
      if (value?.stop === "force") force.abort();
    },
  );
  try {
    const io: RunIo = {
      stop: stop.signal,
      forceStop: force.signal,
      writeLine: (line) => writer.write(line),
      onEvent: results.take,
      onCheckout: (commit) => rememberCommit(deps, claimed, commit),
      onInventories: ({ hash }) => rememberInventories(deps, claimed, hash),
      onStarted: () => markRunning(deps, claimed),
    };
    return await runTask(environment, await makePlan(deps, claimed), io);
  } catch (error) {
    return failed(deps, claimed, error);
  } finally {
    await watching.cancel();
    stop.release();
  }
}

async function rememberCommit(deps: Deps, task: TaskRow, { hash, message }: Commit) {
  await amendTask(deps.kv, task, { commit_hash: hash, commit_message: message.slice(0, 500) });
}

async function rememberInventories({ kv }: Deps, task: TaskRow, inventory_commit: string) {
  await amendTask(kv, task, { inventory_commit });
}

async function markRunning(deps: Deps, task: TaskRow) {
  const running = await orOvertaken(advance(deps.kv, task, "running", {}, {
    also: (op, next) => recordEvent(op, deps, systemActor(next), taskEvent(next, "running")),
  }));
  // If a stop was requested just now, the stop signal ends the execution.
  if (running !== OVERTAKEN) taskChanged(deps, running);
}

function failed(deps: Deps, task: TaskRow, error: unknown): RunOutcome {
  if (!(error instanceof AppError)) {
    deps.log("error", "task_failed", { task: task.id, ...describeError(error) });
  }
  const reason: Sentence = error instanceof AppError
    ? { key: error.key, params: error.params }
    : { key: "errors.run.internal" };
  return { end: "error", reason };
}

async function endRun(
  { deps }: Execution,
  claimed: TaskRow,
  log: LogWriter,
  { end: how, reason }: RunOutcome,
) {
  if (reason) await log.writeSentence(reason);
  await log.flush();
  if (how === "success" && isPreviewing(claimed)) await completePreview(deps, claimed, log);
  else await endTask(deps, claimed, { how, ...await explained(deps.kv, claimed, reason), log });
}

/** Reasons that tell that hosts failed, but not why. */
const HOSTS_FAILED = ["errors.run.hosts_failed", "errors.run.playbook_failed"];

/** Returns the reason of an end or, if hosts failed, the first failure as the reason. */
async function explained(kv: Deno.Kv, task: TaskRow, reason: Sentence | null) {
  const first = reason && HOSTS_FAILED.includes(reason.key)
    ? await findFirstFailure(kv, task.id, { preview: isPreviewing(task) })
    : null;
  return first ? { reason: first.reason, failure_line: first.line } : { reason };
}
