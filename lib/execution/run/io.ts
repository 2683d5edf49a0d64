import type { Sentence } from "../../base/errors.ts";
import type { UsedRequirements } from "./used_requirements.ts";
import type { RunEvent } from "./events.ts";
import type { Commit, KeptPlan } from "./plan.ts";

/** Connects a run with its caller. */
export interface RunIo {
  /**
   * Ends the run as `stopped`. If its reason is an `AppError` (a lost lease, a shutdown), the run
   * ends as `error` with that reason.
   */
  stop: AbortSignal;
  /** Sends KILL immediately, after or instead of `stop`. */
  forceStop: AbortSignal;
  /** Takes one masked line. Reading waits for the promise, so a slow store slows the command. */
  writeLine(line: string): void | Promise<void>;
  /** Takes an event of the run's plays and hosts. Reading waits for the promise. */
  onEvent(event: RunEvent): void | Promise<void>;
  /** Called once the checkout is complete, but never for a folder that is used in place. */
  onCheckout(commit: Commit): void | Promise<void>;
  /** Like `onCheckout`, for the repository of the inventory, if that is another one. */
  onInventories?(commit: Commit): void | Promise<void>;
  /** Called with the first line of the version of a toolchain's Ansible. */
  onAnsible?(version: string): void | Promise<void>;
  /** Called with the roles and collections that the requirement files have brought. */
  onRequirements?(used: UsedRequirements): void | Promise<void>;
  /** The files that runs keep. Missing where none can be kept. */
  kept?: KeptAccess;
  /** Called right before the run's main command starts. */
  onStarted(): void | Promise<void>;
}

/** Reads and replaces the files of a template or an inventory, as compressed archives. */
export interface KeptAccess {
  /** Null if none were kept yet. */
  read(of: KeptPlan["of"]): Promise<Uint8Array | null>;
  /** Returns false if they cannot be stored. */
  write(of: KeptPlan["of"], archive: Uint8Array): Promise<boolean>;
}

export interface RunOutcome {
  end: "success" | "error" | "stopped";
  /** Set for an error. */
  reason: Sentence | null;
}
