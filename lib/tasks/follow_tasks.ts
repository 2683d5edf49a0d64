import { rememberedSight } from "../access/still_may_see.ts";
import type { ProjectScope, Scope } from "../access/scope.ts";
import { whenAborted } from "../base/abort.ts";
import { after } from "../base/after.ts";
import { createBell } from "../base/bell.ts";
import type { LiveMessage } from "../base/hub.ts";
import { onceFor } from "../base/once_for.ts";
import { rowKeys } from "../kv/keys.ts";
import { findTask } from "./repository.ts";
import { type StartedTask, startedTasks } from "./starters.ts";

/** Changes within this time are sent together. */
const GATHER_MS = 50;
/** More changed tasks than a page shows. Beyond this the page is reloaded. */
const CHANGES_MAX = 100;

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
export async function* followTasks(
  scope: ProjectScope,
  version: string,
  signal: AbortSignal,
): AsyncGenerator<StartedTask[] | null> {
  const { deps, projectId } = scope;
  const sight = rememberedSight(scope);
  const changed = new Map<number, UpdateMessage>();
  let isStale = false;
  const bell = createBell();
  const unsubscribe = deps.live.subscribe((message) => {
    if (message.type === "access") return sight.forget();
    if ((message.project_id ?? projectId) !== projectId) return;
    if (message.type === "log" || message.type === "results") return;
    if (message.type === "gone") isStale = true;
    else if (changed.size <= CHANGES_MAX) changed.set(message.task_id, message);
    bell.ring();
  });
  const forget = whenAborted(signal, bell.ring);
  try {
    // Compared after subscribing, so that no change is missed in between.
    if (await tasksVersion(scope) !== version) yield null;
    while (await bell.heard() && !signal.aborted) {
      await new Promise<void>((resolve) => after(GATHER_MS, resolve));
      const messages = [...changed.values()];
      const isTooMuch = isStale || messages.length > CHANGES_MAX;
      changed.clear();
      isStale = false;
      if ((isTooMuch || messages.length > 0) && !await sight.maySee()) return;
      if (isTooMuch) yield null;
      else if (messages.length > 0) yield await readTasks(deps.kv, messages);
    }
  } finally {
    forget();
    unsubscribe();
  }
}

type UpdateMessage = Extract<LiveMessage, { type: "update" }>;

async function readTasks(kv: Deno.Kv, messages: UpdateMessage[]): Promise<StartedTask[]> {
  const tasks = await Promise.all(messages.map((message) => readTask(message, kv)));
  return tasks.filter((task) => task !== null);
}

/** Reads the task once per change, however many clients follow it. */
const readTask = onceFor(
  async ({ project_id, task_id }: UpdateMessage, kv: Deno.Kv): Promise<StartedTask | null> => {
    const row = await findTask(kv, project_id, task_id);
    return row && (await startedTasks(kv, [row]))[0];
  },
);
