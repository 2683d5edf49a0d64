import { END, follow, liveChanges } from "../access/follow.ts";
import type { ProjectScope } from "../access/scope.ts";
import { findTask } from "../model/tasks.ts";
import { previewOf } from "../output/run_id.ts";
import { isFinished } from "../model/status.ts";
import { findHead } from "./result_store.ts";

/** Pause between two updates. */
const PAUSE_MS = 1_000;

/**
 * Yields immediately, and again whenever a task or its results have changed, at most once a second,
 * while the caller may see it. Yields a last time after its end. Throws 404 if there is no such
 * task.
 */
export function followResults(
  scope: ProjectScope,
  taskId: number,
  signal: AbortSignal,
): AsyncGenerator<void> {
  const { deps: { kv }, projectId } = scope;
  let sent = "";
  return follow({
    ...liveChanges(
      scope,
      (message) =>
        message.type === "gone" || message.type !== "workflow" && message.task_id === taskId,
      signal,
      taskId,
    ),
    async *read() {
      const [task, ...heads] = await Promise.all([
        findTask(kv, projectId, taskId),
        findHead(kv, taskId),
        findHead(kv, previewOf(taskId)),
      ]);
      if (!task) return yield END;
      const { status } = task;
      const state = [status, ...heads.map((head) => [head?.results, head?.ended, head?.complete])]
        .join();
      if (state !== sent) yield;
      sent = state;
      if (isFinished(status)) yield END;
    },
    pauseMs: PAUSE_MS,
  }, signal);
}
