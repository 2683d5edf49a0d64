import { AppError, type Sentence } from "../../base/errors.ts";
import type { RunLog } from "../log/run_log.ts";
import type { Supervision } from "../process/supervise.ts";
import type { TaskDirectory } from "../process/task_directory.ts";
import type { RunEnvironment } from "./environment.ts";

/** What every phase of a run gets. */
export interface RunContext extends RunLog {
  env: RunEnvironment;
  projectId: number;
  directory: TaskDirectory;
  supervision: Supervision;
}

/** A failure that ends a run. */
export const runError = (key: string, params?: Sentence["params"]) =>
  new AppError(422, key, params);
