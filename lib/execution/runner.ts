import type { Message } from "../errors.ts";
import type { Commit, RunPlan } from "./plan.ts";
import type { PlayRecap } from "./play_recap.ts";

/** What all runs of one server share. */
export interface RunEnvironment {
  dataDir: string;
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
export function runTask(_env: RunEnvironment, _plan: RunPlan, _io: RunIo): Promise<RunOutcome> {
  throw new Error("the phases are being put together");
}
