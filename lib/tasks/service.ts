import { queueTaskAlert } from "../alerts/outbox.ts";
import { authorize, type Membership } from "../access/authorize.ts";
import { grants } from "../access/permissions.ts";
import { stillMaySee } from "../access/still_may_see.ts";
import { parseWith } from "../http/api.ts";
import type { Actor, Deps } from "../deps.ts";
import { AppError, conflict, forbidden, notFound } from "../errors.ts";
import { recordEvent } from "../events/record.ts";
import { nextId } from "../kv/ids.ts";
import { keys } from "../kv/keys.ts";
import { transact } from "../kv/transact.ts";
import { templateRows } from "../templates/repository.ts";
import { followLog } from "./follow.ts";
import { closeEmptyLog, type LogRecord, readLog, takeLines } from "./log_store.ts";
import { attachBuild, newTask, type Starter, takeVersion } from "./new_task.ts";
import { taskChanged, taskEvent } from "./changes.ts";
import {
  advance,
  getTask as getTaskRow,
  insertTask,
  listOpenTasks,
  listTasks as listTaskRows,
  listTemplateTasks as listTemplateTaskRows,
} from "./repository.ts";
import {
  type OpenTask,
  startTaskForm,
  type StartTaskInput,
  type TaskRow,
  type TaskView,
} from "./schema.ts";
import { isActive, isFinished, type Status } from "./status.ts";
import { taskView, taskViews } from "./view.ts";
import { removeTask } from "./retention.ts";

/** Queues one run of a template. It starts as soon as the limits allow. */
export async function startTask(
  deps: Deps,
  actor: Actor,
  projectId: number,
  input: StartTaskInput,
): Promise<TaskView> {
  const membership = await authorize(deps.kv, actor, projectId, "run_tasks");
  const form = parseWith(startTaskForm, input);
  const template = await templateRows.get(deps.kv, projectId, form.template_id);
  const starter = starterOf(actor, membership);
  const id = await nextId(deps.kv, "tasks");
  const { task: made, secretAnswers } = newTask(id, template, form, starter, deps.clock.now());
  if (input.commit_hash) made.commit_hash = input.commit_hash;
  const attached = await attachBuild(deps.kv, made, template, form.build_task_id);
  const sealed = attached.has_secrets
    ? await deps.secrets.seal(JSON.stringify(secretAnswers))
    : null;
  const task = await transact(deps.kv, async (op) => {
    const current = await templateRows.find(deps.kv, projectId, template.id);
    if (!current) throw notFound();
    op.check(current.entry);
    const versioned = await takeVersion(deps.kv, op, attached, current.row);
    insertTask(op, versioned);
    if (sealed) op.set(keys.taskSecrets(id), sealed);
    const action = versioned.status === "waiting" ? "queued" : versioned.status;
    recordEvent(op, deps, actor, taskEvent(versioned, action));
    queueTaskAlert(op, deps, versioned); // when it waits for a confirmation
    return versioned;
  });
  taskChanged(deps, task);
  deps.wakeDispatcher();
  return await taskView(deps.kv, task);
}

function starterOf(actor: Actor, { permissions }: Membership): Starter {
  const person = actor.kind === "user" ? actor : null;
  return {
    actor,
    username: person?.username ?? null,
    name: person?.name ?? null,
    // What schedules and webhooks send was set by somebody who manages the project.
    manages: person === null || grants(permissions, "manage_resources"),
  };
}

/** One task. */
export async function getTask(deps: Deps, actor: Actor, projectId: number, id: number) {
  await authorize(deps.kv, actor, projectId);
  return await taskView(deps.kv, await getTaskRow(deps.kv, projectId, id));
}

export interface TaskFilter {
  limit: number;
  /** Only tasks with a smaller id. */
  before?: number;
  status?: Status;
  templateId?: number;
  userId?: number;
  /** RFC 3339; by when the task was created. */
  from?: string;
  to?: string;
}

export interface TaskList {
  tasks: TaskView[];
  /** Whether older tasks match too: ask for those `before` the last one's id. */
  hasNext: boolean;
}

/** Most rows that one filtered request looks at: a bound, however long the history is. */
const SCAN_MAX = 5_000;

/** A project's or template's tasks, newest first. */
export async function listTasks(
  deps: Deps,
  actor: Actor,
  projectId: number,
  filter: TaskFilter,
): Promise<TaskList> {
  await authorize(deps.kv, actor, projectId);
  const { templateId, limit } = filter;
  if (templateId !== undefined) await templateRows.get(deps.kv, projectId, templateId);
  const found: TaskRow[] = [];
  let { before } = filter;
  for (let scanned = 0; scanned < SCAN_MAX && found.length <= limit;) {
    // One more than asked for tells whether there is a next page.
    const page = { limit: Math.min(limit + 1, 1_000), before };
    const rows = templateId === undefined
      ? await listTaskRows(deps.kv, projectId, page)
      : await listTemplateTaskRows(deps.kv, projectId, templateId, {
        ...page,
        built: filter.status === "success" && await isBuilt(deps, projectId, templateId),
      });
    found.push(...rows.filter((row) => matches(row, filter)));
    scanned += rows.length;
    before = rows.at(-1)?.id;
    if (rows.length < page.limit) break;
  }
  const hasNext = found.length > limit;
  return { tasks: await taskViews(deps.kv, found.slice(0, limit)), hasNext };
}

/** Whether the template's successes are indexed: those that deploys choose from. */
async function isBuilt(deps: Deps, projectId: number, templateId: number): Promise<boolean> {
  return (await templateRows.get(deps.kv, projectId, templateId)).type !== "";
}

function matches(task: TaskRow, { status, userId, from, to }: TaskFilter): boolean {
  return (status === undefined || task.status === status) &&
    (userId === undefined || task.user_id === userId) &&
    (from === undefined || task.created >= from) &&
    (to === undefined || task.created <= to);
}

/** A task's stored output after line `after`, at most `limit` lines, a chunk at a time. */
export async function readTaskLog(
  deps: Deps,
  actor: Actor,
  projectId: number,
  id: number,
  after = 0,
  limit = Infinity,
) {
  await authorize(deps.kv, actor, projectId);
  const task = await getTaskRow(deps.kv, projectId, id);
  return takeLines(readLog(deps.kv, task.id, after), limit);
}

/** A task's lines, first those stored and then those that come, while `actor` may see them. */
export async function* followTaskLog(
  deps: Deps,
  actor: Actor,
  task: Pick<TaskRow, "id" | "project_id">,
  signal: AbortSignal,
  after = 0,
): AsyncGenerator<LogRecord[]> {
  for await (const records of followLog(deps, task.id, after, signal)) {
    // Asked again each time: who is removed from the project sees no further line.
    if (!await stillMaySee(deps, actor, task.project_id)) return;
    yield records;
  }
}

/** Lets a task go on that waits for it; throws 409 when it does not wait. */
export async function confirmTask(deps: Deps, actor: Actor, projectId: number, id: number) {
  await authorize(deps.kv, actor, projectId, "run_tasks");
  const task = await getTaskRow(deps.kv, projectId, id);
  if (task.status !== "waiting_confirmation") throw conflict("errors.not_waiting_confirmation");
  const confirmed = await advance(deps.kv, task, "confirmed", {}, {
    also: (op, next) => recordEvent(op, deps, actor, taskEvent(next, "confirmed")),
  });
  taskChanged(deps, confirmed);
  deps.wakeDispatcher();
}

/**
 * Stops a task. One that waits leaves the queue at once; one that runs is asked to end (TERM), or
 * with `force` killed. One that already ended stays as it is.
 */
export async function stopTask(
  deps: Deps,
  actor: Actor,
  projectId: number,
  id: number,
  force: boolean,
): Promise<void> {
  await authorize(deps.kv, actor, projectId, "run_tasks");
  await requestStop(deps, actor, await getTaskRow(deps.kv, projectId, id), force);
}

async function requestStop(deps: Deps, actor: Actor, task: TaskRow, force: boolean) {
  for (let current = task; !isFinished(current.status);) {
    try {
      const stopped = await stopStep(deps, actor, current, force);
      taskChanged(deps, stopped);
      return deps.wakeDispatcher();
    } catch (error) {
      // It moved on meanwhile, from the queue to running, say: look again.
      if (!(error instanceof AppError && error.status === 409)) throw error;
      current = await getTaskRow(deps.kv, task.project_id, task.id);
    }
  }
}

function stopStep(deps: Deps, actor: Actor, task: TaskRow, force: boolean): Promise<TaskRow> {
  const stop = force ? "force" : "stop";
  const tell = (op: Deno.AtomicOperation, next: TaskRow, action: string) =>
    recordEvent(op, deps, actor, taskEvent(next, action));
  if (isActive(task.status)) {
    const action = force ? "force_stopped" : "stop_requested";
    return advance(deps.kv, task, "stopping", { stop }, {
      also: (op, next) => tell(op, next, action),
    });
  }
  const end = deps.clock.now().toISOString();
  return advance(deps.kv, task, "stopped", { stop, end }, {
    also: (op, next) => {
      tell(op, next, "finished_stopped");
      closeEmptyLog(op, next.id);
    },
  });
}

/** A project's tasks that have no end yet. */
export async function listProjectOpenTasks(kv: Deno.Kv, projectId: number): Promise<OpenTask[]> {
  return (await listOpenTasks(kv)).filter(({ project_id }) => project_id === projectId);
}

/** Kills every task of a project that is being deleted; it does not wait for their ends. */
export async function stopProjectTasks(deps: Deps, projectId: number): Promise<void> {
  for (const { id } of await listProjectOpenTasks(deps.kv, projectId)) {
    const task = await getTaskRow(deps.kv, projectId, id);
    await requestStop(deps, { kind: "autorun", id, projectId }, task, true);
  }
}

/** Stops every task of a template that has no end yet. */
export async function stopTemplateTasks(
  deps: Deps,
  actor: Actor,
  projectId: number,
  templateId: number,
  force: boolean,
): Promise<void> {
  await authorize(deps.kv, actor, projectId, "run_tasks");
  await templateRows.get(deps.kv, projectId, templateId);
  for (const open of await listProjectOpenTasks(deps.kv, projectId)) {
    if (open.template_id !== templateId) continue;
    await requestStop(deps, actor, await getTaskRow(deps.kv, projectId, open.id), force);
  }
}

/** Deletes a finished task with its output; admins only. Throws 409 while it has no end. */
export async function deleteTask(deps: Deps, actor: Actor, projectId: number, id: number) {
  await authorize(deps.kv, actor, projectId, "manage_resources");
  if (actor.kind !== "user" || !actor.admin) throw forbidden();
  const task = await getTaskRow(deps.kv, projectId, id);
  await removeTask(deps.kv, task);
  const op = deps.kv.atomic();
  recordEvent(op, deps, actor, taskEvent(task, "deleted"));
  await op.commit();
}
