import type { ProjectScope } from "../access/scope.ts";
import { rememberedSight } from "../access/still_may_see.ts";
import { whenAborted } from "../base/abort.ts";
import { after } from "../base/after.ts";
import { createBell } from "../base/bell.ts";
import { findTask } from "../tasks/repository.ts";
import { previewOf } from "../output/run_id.ts";
import { isFinished } from "../tasks/status.ts";
import { findHead } from "./result_store.ts";

/** Pause between two updates. */
const PAUSE_MS = 1_000;

/**
 * Yields immediately, and again whenever a task or its results have changed, at most once a second,
 * while the caller may see it. Yields a last time after its end. Throws 404 if there is no such
 * task.
 */
export async function* followResults(
  scope: ProjectScope,
  taskId: number,
  signal: AbortSignal,
): AsyncGenerator<void> {
  const { deps: { kv, live }, projectId } = scope;
  const sight = rememberedSight(scope);
  const bell = createBell();
  // Results may have been stored between the page and its stream.
  bell.ring();
  let told = "";
  const unsubscribe = live.subscribe((message) => {
    if (message.type === "access") return sight.forget();
    if (message.type === "gone" || message.task_id === taskId) bell.ring();
  });
  const forget = whenAborted(signal, bell.ring);
  try {
    while (await bell.heard() && !signal.aborted) {
      if (!await sight.maySee()) return;
      const [task, ...heads] = await Promise.all([
        findTask(kv, projectId, taskId),
        findHead(kv, taskId),
        findHead(kv, previewOf(taskId)),
      ]);
      if (!task) return;
      const { status } = task;
      const state = [status, ...heads.map((head) => [head?.results, head?.ended, head?.complete])]
        .join();
      if (state !== told) yield;
      told = state;
      if (isFinished(status)) return;
      await new Promise<void>((resolve) => after(PAUSE_MS, resolve));
    }
  } finally {
    forget();
    unsubscribe();
  }
}
