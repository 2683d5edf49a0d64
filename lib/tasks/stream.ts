import type { Actor, Deps } from "../deps.ts";
import { authorize } from "../access/authorize.ts";
import { stillMaySee } from "../access/still_may_see.ts";
import { keys } from "../kv/keys.ts";
import type { LogRecord } from "./log_store.ts";
import { getTask } from "./repository.ts";
import type { TaskRow } from "./schema.ts";
import { isFinished } from "./status.ts";
import { followTaskLog } from "./service.ts";
import { taskView } from "./view.ts";

const encoder = new TextEncoder();

/** A stream of texts as UTF-8; `texts` ends when the reader goes away. */
export function textStream(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await texts.return(undefined);
    },
  });
}

/** Proxies end answers in which nothing came for a minute, or half of one. */
const IDLE_MS = 20_000;

/** `texts`, and `filler` whenever nothing came for a while, so that no proxy ends a quiet stream. */
export async function* keepAlive(
  texts: AsyncGenerator<string>,
  filler: string,
  idleMs = IDLE_MS,
): AsyncGenerator<string> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const idle = () => new Promise<null>((resolve) => timer = setTimeout(resolve, idleMs, null));
  try {
    for (let next = texts.next();;) {
      const result = await Promise.race([next, idle()]);
      clearTimeout(timer);
      if (result === null) yield filler;
      else if (result.done) return;
      else {
        yield result.value;
        next = texts.next();
      }
    }
  } finally {
    clearTimeout(timer);
    await texts.return(undefined);
  }
}

/** The stored records as a JSON array, written while it is read: memory does not grow with the log. */
export async function* outputJson(
  chunks: AsyncIterable<LogRecord[]>,
  taskId: number,
  limit = Infinity,
): AsyncGenerator<string> {
  let written = 0;
  for await (const records of chunks) {
    const wanted = records.slice(0, limit - written);
    if (wanted.length === 0) break;
    const texts = wanted.map(({ id, time, output }) =>
      JSON.stringify({ id, task_id: taskId, task: "", time, output })
    );
    yield (written === 0 ? "[" : ",") + texts.join(",");
    written += wanted.length;
  }
  yield written === 0 ? "[]" : "]";
}

/** The stored lines as text. */
export async function* outputText(chunks: AsyncIterable<LogRecord[]>): AsyncGenerator<string> {
  for await (const records of chunks) {
    yield records.map(({ output }) => output + "\n").join("");
  }
}

/**
 * A task's life as server-sent events: `log` with records, whose id is the last line's number so
 * that a reader resumes there, and `update` with the task; it ends after the end of the task.
 */
export async function* taskEvents(
  deps: Deps,
  actor: Actor,
  projectId: number,
  id: number,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  await authorize(deps.kv, actor, projectId);
  const task = await getTask(deps.kv, projectId, id);
  const messages = mergeLatest(
    statusEvents(deps, actor, task, signal),
    logEvents(deps, actor, task, signal, after),
  );
  yield "retry: 2000\n\n";
  yield* messages;
  // Whoever was removed from the project meanwhile is not told how it ended.
  if (!await stillMaySee(deps, actor, projectId)) return;
  const ended = await getTask(deps.kv, projectId, id);
  yield event("update", await taskView(deps.kv, ended));
  yield event("end", { status: ended.status });
}

async function* logEvents(
  ...following: Parameters<typeof followTaskLog>
): AsyncGenerator<string> {
  for await (const records of followTaskLog(...following)) {
    yield event("log", records, records.at(-1)?.id);
  }
}

async function* statusEvents(
  deps: Deps,
  actor: Actor,
  { project_id, id }: TaskRow,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { kv } = deps;
  const reader = kv.watch<[TaskRow]>([keys.task(project_id, id)]).getReader();
  const cancel = () => void reader.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const row = read.value[0].value;
      if (!row || isFinished(row.status)) return;
      if (!await stillMaySee(deps, actor, project_id)) return;
      yield event("update", await taskView(kv, row));
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    await reader.cancel();
  }
}

function event(name: string, data: unknown, id?: number): string {
  const idLine = id === undefined ? "" : `id: ${id}\n`;
  return `event: ${name}\n${idLine}data: ${JSON.stringify(data)}\n\n`;
}

/** What several generators yield, as it comes; ends when all have ended. */
async function* mergeLatest(...sources: AsyncGenerator<string>[]): AsyncGenerator<string> {
  const pending = new Map(sources.map((source) => [source, advanceOf(source)]));
  try {
    while (pending.size > 0) {
      const { source, result } = await Promise.race(pending.values());
      if (result.done) pending.delete(source);
      else {
        pending.set(source, advanceOf(source));
        yield result.value;
      }
    }
  } finally {
    await Promise.all(sources.map((source) => source.return(undefined)));
  }
}

const advanceOf = async (source: AsyncGenerator<string>) => ({
  source,
  result: await source.next(),
});
