import type { ProjectScope } from "../../access/scope.ts";
import { AppError } from "../../base/errors.ts";
import { aboutTask, type TaskAbout } from "./task_about.ts";
import { loadTaskOutput, type TaskOutput } from "./task_output.ts";
import { belowTask, OVER_TASK } from "./overlay_address.ts";

/** A task in an overlay of a page. */
export interface TaskOverlay {
  /** With its output, if that is shown. */
  about: TaskAbout | TaskOutput;
  /** The page below without sub-path, at the task's row if it has one. */
  close: string;
}

/**
 * Loads the task that the URL's `t` names, with its output or without; null if it names none. If
 * the task does not exist or belongs to another project, `missing` is its id.
 */
export async function loadTaskOverlay(
  scope: ProjectScope,
  url: URL,
  showsOutput: boolean,
): Promise<TaskOverlay | { missing: string; close: string } | null> {
  const id = url.searchParams.get(OVER_TASK) ?? "";
  if (!/^\d{1,15}$/.test(id)) return null;
  const below = belowTask(url);
  const close = below.pathname.slice(scope.deps.config.basePath.length) + below.search;
  try {
    const load = showsOutput ? loadTaskOutput : aboutTask;
    return { about: await load(scope, Number(id), url), close: `${close}#task-${id}` };
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return { missing: id, close };
    throw error;
  }
}
