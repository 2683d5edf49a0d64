import type { Deps } from "../access/deps.ts";
import { findMembership, type UserScope } from "../access/scope.ts";
import { sightOf } from "../access/sight.ts";
import { stillMaySee } from "../access/still_may_see.ts";
import { whenAborted } from "../base/time/abort.ts";
import { createBell } from "../base/bell.ts";
import type { LiveMessage } from "../base/hub.ts";
import { onceFor } from "../base/once_for.ts";
import { paths } from "../base/paths.ts";
import type { Language } from "../i18n/catalogs.ts";
import { isRepeated } from "../tasks/attempts.ts";
import { findTask } from "../model/tasks.ts";
import { speak, taskMessage } from "./message.ts";
import { OWN_EVENT_OF } from "./schema.ts";
import { findProject } from "../model/projects.ts";

/** More changes at the same time than anyone reads as notifications. */
const WAITING_MAX = 50;
/** Number of notices that are remembered, so that none is sent again. */
const SHOWN_MAX = 200;

/** A notification about a task of the reader. */
interface OwnNotice {
  title: string;
  body: string;
  /** Path of the task's page. */
  path: string;
  /** Equal for the same news, so that browsers show it once. */
  tag: string;
}

type UpdateMessage = Extract<LiveMessage, { type: "update" }>;

/**
 * Yields the chosen events of the caller's own tasks as they happen, until `signal` aborts. It
 * leaves out steps of workflows that succeed.
 */
export async function* followOwnTasks(
  scope: UserScope,
  { events, language }: { events: readonly string[]; language: Language },
  signal: AbortSignal,
): AsyncGenerator<OwnNotice> {
  const bell = createBell();
  const shown: string[] = [];
  const changed = new Map<string, UpdateMessage>();
  const unsubscribe = scope.deps.live.subscribe((message) => {
    if (message.type !== "update" || changed.size >= WAITING_MAX) return;
    const event = OWN_EVENT_OF[message.status];
    const tag = `task-${message.task_id}-${message.status}`;
    if (event === undefined || !events.includes(event) || shown.includes(tag)) return;
    changed.set(tag, message);
    bell.ring();
  });
  const release = whenAborted(signal, bell.ring);
  try {
    while (await bell.wait() && !signal.aborted) {
      const news = [...changed];
      changed.clear();
      for (const [tag, message] of news) {
        const notice = await noticeOf(scope, message, language);
        if (!notice || shown.includes(tag)) continue;
        shown.push(tag);
        if (shown.length > SHOWN_MAX) shown.shift();
        yield { ...notice, tag };
      }
    }
  } finally {
    release();
    unsubscribe();
  }
}

/** Reads the task and its project once per change, however many pages follow it. */
const readChange = onceFor(
  async ({ project_id, task_id, status }: UpdateMessage, kv: Deps["kv"]) => {
    const task = await findTask(kv, project_id, task_id);
    if (!task || task.status !== status || isRepeated(task)) return null;
    if (task.workflow && status === "success") return null;
    const project = await findProject(kv, project_id);
    return project && { task, project };
  },
);

async function noticeOf(
  scope: UserScope,
  message: UpdateMessage,
  language: Language,
): Promise<Omit<OwnNotice, "tag"> | null> {
  const { deps, actor } = scope;
  const found = await readChange(message, deps.kv);
  if (!found || found.task.user_id !== actor.id) return null;
  const { task, project } = found;
  if (!await stillMaySee({ ...scope, projectId: project.id })) return null;
  const membership = await findMembership(deps.kv, actor, project.id);
  const sight = membership && await sightOf({ ...scope, projectId: project.id, ...membership });
  if (!sight?.maySeeTask(task)) return null;
  return {
    title: taskMessage(deps.config, project, task, language).title,
    body: [project.name, task.end_reason && speak(language).tell(task.end_reason)]
      .filter(Boolean).join(": "),
    path: paths.task(project.id, task.template_id, task.id, task.failure_line ?? null),
  };
}
