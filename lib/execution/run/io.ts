import type { Sentence } from "../../base/errors.ts";
import type { RunEvent } from "./events.ts";
import type { Commit } from "./plan.ts";

/** How a run talks with who started it. */
export interface RunIo {
  /**
   * Ends the run as `stopped`. Aborted with an `AppError` as its reason (a lost lease, a shutdown),
   * it ends the run as `error` for that reason.
   */
  stop: AbortSignal;
  /** After or instead of `stop`: KILL at once. */
  forceStop: AbortSignal;
  /** Takes one masked line. Reading waits for the promise, so a slow store slows the command. */
  writeLine(line: string): void | Promise<void>;
  /** Takes what the run tells of its plays and hosts. Reading on waits for the promise. */
  onEvent(event: RunEvent): void | Promise<void>;
  /** Called once the checkout is there; never for a folder used in place. */
  onCheckout(commit: Commit): void | Promise<void>;
  /** The same of the repository of the inventory, where that is another. */
  onInventories?(commit: Commit): void | Promise<void>;
  /** Called right before the command that the run is for is spawned. */
  onStarted(): void | Promise<void>;
}

export interface RunOutcome {
  end: "success" | "error" | "stopped";
  /** Why it is an error. */
  reason: Sentence | null;
}
