import { resolve } from "node:path";
import { linkedAbort } from "../base/abort.ts";
import { after } from "../base/after.ts";
import { AppError, type Message } from "../base/errors.ts";
import type { Commit, RunPlan } from "./run/plan.ts";
import type { PlayRecap } from "./ansible/play_recap.ts";
import { type PlaybookResult, runPlaybook } from "./ansible/playbook.ts";
import type { Grounds } from "./process/isolation.ts";
import { type RunContext, runError } from "./run/context.ts";
import { runLog } from "./log/run_log.ts";
import { createTaskDirectory } from "./process/task_directory.ts";
import { openWorkspace, type Workspace } from "./git/workspace.ts";

/** What all runs of one server share. */
export interface RunEnvironment extends Grounds {
  /** PATH of every child process. */
  path: string;
  /** More variables for every child process, such as those that name a proxy. */
  variables: Record<string, string>;
  /** From TERM to KILL. */
  graceMs: number;
  ansible: { playbook: string; galaxy: string };
  timeLimits: {
    /** Each call of git. */
    gitMs: number;
    galaxyMs: number;
    /** The whole run; 0 for no limit. */
    taskMs: number;
  };
}

/** How a run talks with who started it. */
export interface RunIo {
  /**
   * Ends the run as `stopped`. Aborted with an `AppError` as its reason (a lost lease, a shutdown),
   * it ends the run as `error` for that reason.
   */
  stop: AbortSignal;
  /** After or instead of `stop`: KILL at once. */
  forceStop: AbortSignal;
  /** Takes one masked line. Reading waits for the promise, so a slow store slows Ansible. */
  writeLine(line: string): void | Promise<void>;
  /** Called once the checkout is there; never for a folder used in place. */
  onCheckout(commit: Commit): void | Promise<void>;
  /** Called right before ansible-playbook is spawned. */
  onStarted(): void | Promise<void>;
}

export interface RunOutcome {
  end: "success" | "error" | "stopped";
  /** Why it is an error. */
  reason: Message | null;
  /** Of ansible-playbook; null when it never ran. */
  exitCode: number | null;
  recap: PlayRecap;
}

/** Runs `plan` to its end. Never throws: whatever goes wrong is told by the outcome. */
export async function runTask(
  env: RunEnvironment,
  plan: RunPlan,
  io: RunIo,
): Promise<RunOutcome> {
  const halt = haltOf(env, io);
  const result: PlaybookResult = { exitCode: null, recap: {}, reason: null };
  try {
    await runPhases(env, plan, io, halt.signal, result);
  } catch (error) {
    result.reason = reasonOf(error);
  } finally {
    halt.forget();
  }
  const { exitCode, recap } = result;
  if (!halt.signal.aborted) {
    return { end: result.reason ? "error" : "success", reason: result.reason, exitCode, recap };
  }
  const cause: unknown = halt.signal.reason;
  if (!(cause instanceof AppError)) return { end: "stopped", reason: null, exitCode, recap };
  return { end: "error", reason: { key: cause.key, params: cause.params }, exitCode, recap };
}

/** One signal for all that ends a run early; the first cause counts. */
function haltOf({ timeLimits: { taskMs } }: RunEnvironment, { stop, forceStop }: RunIo) {
  const halt = linkedAbort(stop, forceStop);
  const seconds = Math.round(taskMs / 1000);
  const forgetDeadline = after(
    taskMs || Infinity,
    () => halt.abort(runError("errors.run.time_limit", { seconds })),
  );
  return {
    signal: halt.signal,
    forget() {
      forgetDeadline();
      halt.forget();
    },
  };
}

/** What people are told; of failures that nobody foresaw, their own words. */
function reasonOf(error: unknown): Message {
  if (error instanceof AppError) return { key: error.key, params: error.params };
  const detail = error instanceof Error ? error.message : String(error);
  return { key: "errors.run.unforeseen", params: { detail } };
}

async function runPhases(
  env: RunEnvironment,
  plan: RunPlan,
  io: RunIo,
  stop: AbortSignal,
  result: PlaybookResult,
): Promise<void> {
  stop.throwIfAborted();
  const log = runLog(plan, io.writeLine);
  const directory = await createTaskDirectory(env, plan.projectId, String(plan.taskId));
  const context: RunContext = {
    env: withAbsolutePaths(env),
    projectId: plan.projectId,
    directory,
    supervision: {
      directory: directory.path,
      enclosure: directory.enclosure,
      graceMs: env.graceMs,
      stop,
      forceStop: io.forceStop,
    },
    ...log,
  };
  const open: Workspace[] = [];
  try {
    const workspace = await openWorkspace(context, plan.repository, "checkout");
    open.push(workspace);
    if (workspace.commit) await io.onCheckout(workspace.commit);
    const inventories = plan.inventory.repository
      ? await openWorkspace(context, plan.inventory.repository, "inventories")
      : workspace;
    if (inventories !== workspace) open.push(inventories);
    await runPlaybook(context, plan, { workspace, inventories }, io, result);
  } finally {
    for (const { close } of open) await close();
    await directory.remove().catch(async (error) => {
      await log.say(`Some files of this run cannot be removed: ${error.message}`);
    });
  }
}

/** Commands run in the checkout, so a path from the server's own folder must not depend on that. */
function withAbsolutePaths(env: RunEnvironment): RunEnvironment {
  const { playbook, galaxy } = env.ansible;
  const absolute = (command: string) => command.includes("/") ? resolve(command) : command;
  return { ...env, ansible: { playbook: absolute(playbook), galaxy: absolute(galaxy) } };
}
