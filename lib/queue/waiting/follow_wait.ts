import { END, follow, rowChanges } from "../../access/follow.ts";
import type { ProjectScope } from "../../access/scope.ts";
import { findSeenTask } from "../../access/seen/tasks.ts";
import { stillMaySee } from "../../access/still_may_see.ts";
import { linkedAbort } from "../../base/time/abort.ts";
import { merge } from "../../base/merge.ts";
import { rowKeys } from "../../store/keys.ts";
import { readWait, type Wait } from "./overview.ts";

/** Pause between two looks at the queue, which changes with each task of every project. */
const PAUSE_MS = 1_000;
/** A runner falls silent without any change of a row. */
const AGAIN_MS = 15_000;

/** Yields why a task waits, again when that may have changed, and null once it does not wait. */
export function followWait(
  scope: ProjectScope,
  id: number,
  signal: AbortSignal,
): AsyncGenerator<Wait | null> {
  const { signal: ended, abort, release } = linkedAbort(signal);
  const { changes, maySee } = rowChanges(
    scope,
    [rowKeys.tasksWake()],
    ended,
    async () => await stillMaySee(scope) && await findSeenTask(scope, id) !== null,
  );
  function atEnd() {
    abort();
    release();
  }
  let sent: string | undefined;
  return follow({
    changes: merge<unknown>([changes], { idle: { value: null, afterMs: AGAIN_MS }, atEnd }),
    maySee,
    pauseMs: PAUSE_MS,
    async *read() {
      const wait = await readWait(scope, id);
      const state = JSON.stringify(wait);
      if (state !== sent) yield wait;
      sent = state;
      if (!wait) yield END;
    },
  }, signal);
}
