import { AppError, type Sentence } from "../../base/errors.ts";
import type { RunLog } from "../log/run_log.ts";
import type { Supervision } from "../process/spawn.ts";
import { createTaskDirectory, type TaskDirectory } from "../process/task_directory.ts";
import { type RunEnvironment, withAbsolutePaths } from "./environment.ts";

/** Everything that each phase of a run gets. */
export interface RunContext extends RunLog {
  env: RunEnvironment;
  projectId: number;
  directory: TaskDirectory;
  supervision: Supervision;
  /** The image in which commands of Ansible run. Without one they run on the machine. */
  container?: Container;
}

/** An image of podman. */
export interface Container {
  /** Its id, so that the whole run uses the same one. */
  image: string;
  /** PATH inside. */
  path: string;
}

interface Stage {
  projectId: number;
  /** Name of the working folder. */
  name: string;
  log: RunLog;
  stop: AbortSignal;
  /** Sends KILL immediately. Without it there is only `stop`. */
  forceStop?: AbortSignal;
  /** A further folder of the data folder that it may change. */
  writable?: string;
}

/** Does work as runs do it: isolated, and in a folder of its own that is removed afterwards. */
export async function withContext<T>(
  env: RunEnvironment,
  { projectId, name, log, stop, forceStop = stop, writable }: Stage,
  work: (context: RunContext) => Promise<T>,
): Promise<T> {
  const directory = await createTaskDirectory(env, projectId, name, writable);
  const { path, sandbox } = directory;
  const supervision = { directory: path, sandbox, graceMs: env.graceMs, stop, forceStop };
  try {
    return await work({ env: withAbsolutePaths(env), projectId, directory, supervision, ...log });
  } finally {
    await directory.remove().catch(async (error) => {
      await log.say(`Some files of this run could not be removed: ${error.message}`);
    });
  }
}

/** A failure that ends a run. */
export const runError = (key: string, params?: Sentence["params"]) =>
  new AppError(422, key, params);
