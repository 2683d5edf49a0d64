import { whenAborted } from "../../base/time/abort.ts";
import { follow, liveChanges, type LiveNews } from "../../access/follow.ts";
import type { ProjectScope, Scope } from "../../access/scope.ts";
import { findSeenTask } from "../../access/seen/tasks.ts";
import { sightOf } from "../../access/sight.ts";
import type { LiveMessage } from "../../base/hub.ts";
import { onceFor } from "../../base/once_for.ts";
import { sleep } from "../../base/time/pause.ts";
import { rowKeys } from "../../store/keys.ts";
import { memoryPart } from "../../store/memory.ts";
import type { Store } from "../../store/store.ts";
import { announcesPlayTask } from "../../output/banners.ts";
import { type StartedTask, startedTasks } from "../initiators.ts";
import { onceForSeen } from "../../access/seen/once_for_seen.ts";

/** Changes within this time are sent together. */
const GATHER_MS = 50;
/**
 * Shortest time between two updates, for each follower of this server. A page has two, and an
 * update takes about 1 ms of CPU time. So all pages together take at most a fifth of a core,
 * however many tasks change.
 */
const EVERY_MS_EACH = 5;

/** More changed tasks than a page shows. Beyond this the page is reloaded. */
const CHANGES_MAX = 100;

const followers = memoryPart("followers of tasks", () => ({ count: 0 }));

/** Counts a follower until `signal` aborts. Returns its time between updates, which may change. */
function countFollower(kv: Store, signal: AbortSignal): () => number {
  const own = followers.of(kv);
  own.count++;
  whenAborted(signal, () => own.count--);
  return () => EVERY_MS_EACH * own.count;
}

/**
 * Returns the version of the state of all tasks, for `followTasks`. Call it before reading the
 * tasks.
 */
export async function tasksVersion({ deps }: Scope): Promise<string> {
  return (await deps.kv.get(rowKeys.tasksWake())).versionstamp ?? "";
}

/**
 * Yields a project's tasks as they change, while the caller may see them. Yields null when the list
 * must be read again: tasks were deleted, too many changed, or, as the first value, something
 * changed since `version`.
 */
export function followTasks(
  scope: ProjectScope,
  version: string,
  signal: AbortSignal,
): AsyncGenerator<StartedTask[] | null> {
  const { deps, projectId } = scope;
  const changed = new Map<number, UpdateMessage>();
  const everyMs = countFollower(deps.kv, signal);
  let [isFirst, isStale, updatedAt] = [true, false, -Infinity];

  function isNews(message: LiveNews): boolean {
    if ((message.project_id ?? projectId) !== projectId) return false;
    if (message.type !== "update" && message.type !== "gone") return false;
    if (message.type === "gone") isStale = true;
    else if (changed.size <= CHANGES_MAX) changed.set(message.task_id, message);
    return true;
  }

  const { maySeeTask, ...following } = liveChanges(scope, isNews, signal);
  return follow({
    ...following,
    async *read() {
      const earlyMs = updatedAt + everyMs() - performance.now();
      if (!isFirst) await sleep(Math.max(GATHER_MS, earlyMs), { signal });
      else if (await tasksVersion(scope) !== version) isStale = true;
      isFirst = false;
      updatedAt = performance.now();
      const messages = [...changed.values()];
      const isTooMuch = isStale || messages.length > CHANGES_MAX;
      changed.clear();
      isStale = false;
      if (isTooMuch) return yield null;
      const seen = await Promise.all(messages.map(({ task_id }) => maySeeTask(task_id)));
      const shown = messages.filter((_, n) => seen[n]);
      if (shown.length > 0) yield await readTasks(scope, shown);
    },
  }, signal);
}

type UpdateMessage = Extract<LiveMessage, { type: "update" }>;

async function readTasks(scope: ProjectScope, messages: UpdateMessage[]): Promise<StartedTask[]> {
  const tasks = await Promise.all(messages.map((message) => readTask(message, scope)));
  return tasks.filter((task) => task !== null);
}

/** Reads the task once per change, however many clients who see the same follow it. */
const readTask = onceForSeen(
  async ({ task_id }: UpdateMessage, scope: ProjectScope): Promise<StartedTask | null> => {
    const [sight, row] = await Promise.all([sightOf(scope), findSeenTask(scope, task_id)]);
    return row && (await startedTasks(scope.deps, [row], sight))[0];
  },
);

/** Shortest pause between two updates of progress. */
const PAUSE_MS = 500;

type LogMessage = Extract<LiveMessage, { type: "log" }>;

/** Each message is searched once, however many clients follow it. */
const announces = onceFor(({ records }: LogMessage) =>
  records.some(({ output }) => announcesPlayTask(output))
);

/**
 * Yields when tasks of a project make progress, at most twice a second, while the caller may see
 * them. Each value is the latest message, which is the same object for all followers.
 */
export function followProgress(scope: ProjectScope, signal: AbortSignal): AsyncGenerator<object> {
  // Messages of any kind count, because data read after an older one may be older than the page.
  let latest: LiveNews | null = null;
  const announced = new Set<number>();
  const everyMs = countFollower(scope.deps.kv, signal);

  function isNews(message: LiveNews): boolean {
    if (message.project_id !== scope.projectId || message.type === "results") return false;
    if (message.type === "log" && !announces(message)) return false;
    latest = message;
    if (message.type === "log") announced.add(message.task_id);
    return message.type === "log";
  }

  const { maySeeTask, ...following } = liveChanges(scope, isNews, signal);
  return follow({
    ...following,
    async *read() {
      const ids = [...announced];
      announced.clear();
      const seen = await Promise.all(ids.map((id) => maySeeTask(id)));
      if (latest && seen.includes(true)) yield latest;
      await sleep(Math.max(PAUSE_MS, everyMs()), { signal });
    },
  }, signal);
}
