import { END, follow, rowChanges } from "../access/follow.ts";
import { type ProjectScope, scopeWith } from "../access/scope.ts";
import { getSeenTask } from "../access/seen/tasks.ts";
import { sightOf } from "../access/sight.ts";
import { stillMaySeeTask } from "../access/still_may_see.ts";
import { linkedAbort } from "../base/time/abort.ts";
import { merge } from "../base/merge.ts";
import { jsonEvent, type ServerEvent } from "../http/server_event.ts";
import { rowKeys } from "../store/keys.ts";
import type { TaskView } from "./schema.ts";
import type { TaskRow } from "../model/task_row.ts";
import { isFinished } from "../model/status.ts";
import { followTaskLog } from "./service.ts";
import { taskView } from "./view.ts";

/**
 * Yields a task's life as server-sent events. `log` has records, and its id is the number of the
 * last line, so that a reader can resume there. People who may not read output get none. `update`
 * has the task, as `translate` puts it into the reader's language. The stream ends after the end of
 * the task.
 */
export async function* taskEvents(
  scope: ProjectScope,
  id: number,
  after: number,
  translate: (task: TaskView) => unknown,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const { deps } = scope;
  const task = await getSeenTask(scope, id);
  const { signal: ended, abort, release } = linkedAbort(signal);
  const reader = scopeWith(scope, "read_output");
  const status = statusEvents(scope, task, translate, ended);
  const sources = reader ? [status, logEvents(reader, id, ended, after)] : [status];
  yield* merge(sources, {
    atEnd() {
      abort();
      release();
    },
  });
  // People who were removed from the project meanwhile must not see how the task ended.
  if (!await stillMaySeeTask(scope, task)) return;
  const last = await getSeenTask(scope, id);
  const sight = await sightOf(scope);
  yield jsonEvent("update", translate(await taskView(deps, last, { sight })));
  yield jsonEvent("end", { status: last.status });
}

/** Changes of a task, as seen by a caller who may see it, until they lose that right. */
export const taskChanges = (scope: ProjectScope, task: TaskRow, signal: AbortSignal) =>
  rowChanges<[TaskRow]>(
    scope,
    [rowKeys.task(scope.projectId, task.id)],
    signal,
    () => stillMaySeeTask(scope, task),
  );

/** Yields a task once it has ended. */
export async function* taskEnd(
  scope: ProjectScope,
  id: number,
  signal: AbortSignal,
): AsyncGenerator<TaskRow> {
  const task = await getSeenTask(scope, id);
  yield* follow({
    ...taskChanges(scope, task, signal),
    async *read([{ value }]) {
      if (value && !isFinished(value.status)) return;
      if (value) yield value;
      yield END;
    },
  }, signal);
}

async function* logEvents(
  ...following: Parameters<typeof followTaskLog>
): AsyncGenerator<ServerEvent> {
  for await (const records of followTaskLog(...following)) {
    yield jsonEvent("log", records, records.at(-1)?.id);
  }
}

const statusEvents = (
  scope: ProjectScope,
  task: TaskRow,
  translate: (task: TaskView) => unknown,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> =>
  follow({
    ...taskChanges(scope, task, signal),
    async *read([{ value }]) {
      if (!value || isFinished(value.status)) return yield END;
      const sight = await sightOf(scope);
      yield jsonEvent("update", translate(await taskView(scope.deps, value, { sight })));
    },
  }, signal);
