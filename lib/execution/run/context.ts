import { AppError, type Message } from "../../base/errors.ts";
import type { RunEnvironment } from "../runner.ts";
import type { Supervision } from "../process/supervise.ts";
import type { TaskDirectory } from "../process/task_directory.ts";

/** What every phase of a run gets. */
export interface RunContext {
  env: RunEnvironment;
  projectId: number;
  directory: TaskDirectory;
  supervision: Supervision;
  /** Writes a line of the server's own to the log. */
  say(line: string): Promise<void>;
  /** Takes a command's output into the log; `onLine` sees each line, masked, before it is written. */
  pipe(onLine?: (line: string) => void): OutputPipe;
}

export interface OutputPipe {
  write(chunk: Uint8Array): Promise<void>;
  end(): Promise<void>;
}

/** A failure that ends a run. */
export const runError = (key: string, params?: Message["params"]) => new AppError(422, key, params);
