import { AppError, type Sentence } from "../../base/errors.ts";
import type { RunLog } from "../log/run_log.ts";
import type { Supervision } from "../process/spawn.ts";
import { createTaskDirectory, type TaskDirectory } from "../process/task_directory.ts";
import { type RunEnvironment, withAbsolutePaths } from "./environment.ts";

/** What every phase of a run gets. */
export interface RunContext extends RunLog {
  env: RunEnvironment;
  projectId: number;
  directory: TaskDirectory;
  supervision: Supervision;
}

interface Stage {
  projectId: number;
  /** Of the folder of what is done there. */
  name: string;
  log: RunLog;
  stop: AbortSignal;
  /** KILL at once; when left out, `stop` is all there is. */
  forceStop?: AbortSignal;
}

/** Does something as runs do it: in a folder of its own, which is gone afterwards, and kept in. */
export async function withContext<T>(
  env: RunEnvironment,
  { projectId, name, log, stop, forceStop = stop }: Stage,
  work: (context: RunContext) => Promise<T>,
): Promise<T> {
  const directory = await createTaskDirectory(env, projectId, name);
  const { path, enclosure } = directory;
  const supervision = { directory: path, enclosure, graceMs: env.graceMs, stop, forceStop };
  try {
    return await work({ env: withAbsolutePaths(env), projectId, directory, supervision, ...log });
  } finally {
    await directory.remove().catch(async (error) => {
      await log.say(`Some files of this run cannot be removed: ${error.message}`);
    });
  }
}

/** A failure that ends a run. */
export const runError = (key: string, params?: Sentence["params"]) =>
  new AppError(422, key, params);
