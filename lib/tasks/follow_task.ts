import { END, follow, rowChanges } from "../access/follow.ts";
import { type ProjectScope, scopeWith } from "../access/scope.ts";
import { stillMaySee } from "../access/still_may_see.ts";
import { linkedAbort } from "../base/time/abort.ts";
import { merge } from "../base/merge.ts";
import { jsonEvent, type ServerEvent } from "../http/server_event.ts";
import { rowKeys } from "../store/keys.ts";
import { getTaskRow } from "../model/tasks.ts";
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
  const { deps, projectId } = scope;
  await getTaskRow(deps.kv, projectId, id);
  const { signal: ended, abort, release } = linkedAbort(signal);
  const reader = scopeWith(scope, "read_output");
  const status = statusEvents(scope, id, translate, ended);
  const sources = reader ? [status, logEvents(reader, id, ended, after)] : [status];
  yield* merge(sources, {
    atEnd() {
      abort();
      release();
    },
  });
  // People who were removed from the project meanwhile must not see how the task ended.
  if (!await stillMaySee(scope)) return;
  const last = await getTaskRow(deps.kv, projectId, id);
  yield jsonEvent("update", translate(await taskView(deps, last)));
  yield jsonEvent("end", { status: last.status });
}

/** Yields a task once it has ended. */
export const taskEnd = (
  scope: ProjectScope,
  id: number,
  signal: AbortSignal,
): AsyncGenerator<TaskRow> =>
  follow({
    ...rowChanges<[TaskRow]>(scope, [rowKeys.task(scope.projectId, id)], signal),
    async *read([{ value }]) {
      if (value && !isFinished(value.status)) return;
      if (value) yield value;
      yield END;
    },
  }, signal);

async function* logEvents(
  ...following: Parameters<typeof followTaskLog>
): AsyncGenerator<ServerEvent> {
  for await (const records of followTaskLog(...following)) {
    yield jsonEvent("log", records, records.at(-1)?.id);
  }
}

const statusEvents = (
  scope: ProjectScope,
  id: number,
  translate: (task: TaskView) => unknown,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> =>
  follow({
    ...rowChanges<[TaskRow]>(scope, [rowKeys.task(scope.projectId, id)], signal),
    async *read([{ value }]) {
      if (!value || isFinished(value.status)) return yield END;
      yield jsonEvent("update", translate(await taskView(scope.deps, value)));
    },
  }, signal);
