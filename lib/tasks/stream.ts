import type { ProjectScope } from "../access/scope.ts";
import { stillMaySee } from "../access/still_may_see.ts";
import { linkedAbort } from "../base/abort.ts";
import { merge } from "../base/merge.ts";
import { rowKeys } from "../kv/keys.ts";
import { watchRows } from "../kv/watch.ts";
import { plainText } from "../output/ansi.ts";
import type { LogRecord } from "../output/chunk.ts";
import { getTask } from "./repository.ts";
import type { TaskRow, TaskView } from "./schema.ts";
import { isFinished } from "./status.ts";
import { followTaskLog } from "./service.ts";
import { taskView } from "./view.ts";

const encoder = new TextEncoder();

/**
 * A stream of texts as UTF-8. When its reader goes away, the signal that `begin` gets is aborted,
 * so that texts end that wait for something. A request's own signal is not enough: it stays silent
 * when the reader goes in the middle of a text.
 */
export function textStream(
  begin: (gone: AbortSignal) => AsyncGenerator<string>,
): ReadableStream<Uint8Array> {
  const gone = new AbortController();
  const texts = begin(gone.signal);
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      gone.abort();
      await texts.return(undefined);
    },
  });
}

/** Proxies end answers in which nothing came for a minute, or half of one. */
const IDLE_MS = 20_000;

/** `texts`, and `filler` whenever nothing came for a while, so that no proxy ends a quiet stream. */
export const keepAlive = (
  texts: AsyncGenerator<string>,
  filler: string,
  idleMs = IDLE_MS,
): AsyncGenerator<string> => merge([texts], { idle: { value: filler, afterMs: idleMs } });

/** A line as clients know it. */
export const outputRecord = (taskId: number, { id, time, output }: LogRecord) => ({
  id,
  task_id: taskId,
  task: "",
  time,
  output,
});

/** The stored records as a JSON array, written while it is read: memory does not grow with the log. */
export async function* outputJson(
  chunks: AsyncIterable<LogRecord[]>,
  taskId: number,
): AsyncGenerator<string> {
  let before = "[";
  for await (const records of chunks) {
    const texts = records.map((record) => JSON.stringify(outputRecord(taskId, record)));
    yield before + texts.join(",");
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}

/** The stored lines as text: with their times in front, without colours. */
export async function* outputText(
  chunks: AsyncIterable<LogRecord[]>,
  { times, plain }: { times: boolean; plain: boolean },
): AsyncGenerator<string> {
  const textOf = ({ time, output }: LogRecord) =>
    (times ? `${time} ` : "") + (plain ? plainText(output) : output) + "\n";
  for await (const records of chunks) yield records.map(textOf).join("");
}

/**
 * A task's life as server-sent events: `log` with records, whose id is the last line's number so
 * that a reader resumes there, and `update` with the task, as `told` puts it into the reader's
 * language; it ends after the end of the task.
 */
export async function* taskEvents(
  scope: ProjectScope,
  id: number,
  after: number,
  told: (task: TaskView) => unknown,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { deps, projectId } = scope;
  await getTask(deps.kv, projectId, id);
  yield "retry: 2000\n\n";
  const { signal: ended, abort, forget } = linkedAbort(signal);
  const sources = [statusEvents(scope, id, told, ended), logEvents(scope, id, ended, after)];
  yield* merge(sources, {
    atEnd() {
      abort();
      forget();
    },
  });
  // Whoever was removed from the project meanwhile is not told how it ended.
  if (!await stillMaySee(scope)) return;
  const last = await getTask(deps.kv, projectId, id);
  yield event("update", told(await taskView(deps.kv, last)));
  yield event("end", { status: last.status });
}

async function* logEvents(
  ...following: Parameters<typeof followTaskLog>
): AsyncGenerator<string> {
  for await (const records of followTaskLog(...following)) {
    yield event("log", records, records.at(-1)?.id);
  }
}

async function* statusEvents(
  scope: ProjectScope,
  id: number,
  told: (task: TaskView) => unknown,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { deps, projectId } = scope;
  for await (
    const [{ value }] of watchRows<[TaskRow]>(deps, [rowKeys.task(projectId, id)], signal)
  ) {
    if (!value || isFinished(value.status)) return;
    if (!await stillMaySee(scope)) return;
    yield event("update", told(await taskView(deps.kv, value)));
  }
}

function event(name: string, data: unknown, id?: number): string {
  const idLine = id === undefined ? "" : `id: ${id}\n`;
  return `event: ${name}\n${idLine}data: ${JSON.stringify(data)}\n\n`;
}
