import { queueTaskAlert } from "../alerts/outbox.ts";
import { authorize, type Membership, requireAdmin } from "../access/authorize.ts";
import { grants } from "../access/permissions.ts";
import { stillMaySee } from "../access/still_may_see.ts";
import { parseWith } from "../http/api.ts";
import type { Actor, Deps } from "../deps.ts";
import { AppError, conflict, forbidden, notFound } from "../errors.ts";
import { recordEvent } from "../events/record.ts";
import { nextId } from "../kv/ids.ts";
import { readTargets } from "../references/service.ts";
import { repositoryRows } from "../repositories/repository.ts";
import { templateRows } from "../templates/repository.ts";
import type { TemplateRow } from "../templates/schema.ts";
import { fitList, requireStorable, storeAnswers, storeSecretAnswers } from "./answer_store.ts";
import { followLog } from "./follow.ts";
import { listHistory, type TaskFilter } from "./history.ts";
import { closeEmptyLog, type LogRecord, readLog, takeLines } from "./log_store.ts";
import { attachBuild, newTask, type Origin, type Starter, takeVersion } from "./new_task.ts";
import { taskChanged, taskEvent } from "./changes.ts";
import {
  advance,
  findOpenTask,
  findTask,
  getTask as getTaskRow,
  insertTask,
  listOpenTasks,
  listTemplateTasks,
  takeTurn,
} from "./repository.ts";
import { requireRoom } from "./queue_limit.ts";
import {
  type OpenTask,
  type StartTaskForm,
  startTaskForm,
  type StartTaskInput,
  type TaskRow,
  type TaskView,
} from "./schema.ts";
import { isActive, isFinished } from "./status.ts";
import { taskView, taskViews } from "./view.ts";
import { removeTask } from "./retention.ts";

export { listQueue } from "./queue.ts";

/**
 * Queues one run of a template. It starts as soon as the limits allow. `also` adds to the commit
 * what must be stored with the task or not at all; it may run several times, and throws to give up.
 */
export async function startTask(
  deps: Deps,
  actor: Actor,
  projectId: number,
  input: StartTaskInput,
  also: (op: Deno.AtomicOperation) => Promise<void> = () => Promise.resolve(),
): Promise<TaskView> {
  const membership = await authorize(deps.kv, actor, projectId, "run_tasks");
  const form = parseWith(startTaskForm, input);
  const template = await templateRows.get(deps.kv, projectId, form.template_id);
  const starter = starterOf(actor, membership);
  const origin = await originOf(deps.kv, starter, template, form);
  await requireRoom(deps.kv);
  const id = await nextId(deps.kv, "tasks");
  const { task: made, secretAnswers } = newTask(id, origin, form, starter, deps.clock.now());
  const attached = await attachBuild(deps.kv, made, template, form.build_task_id);
  const secrets = JSON.stringify(secretAnswers);
  for (const json of [attached.environment, secrets]) requireStorable(json);
  const sealed = attached.has_secrets ? await deps.secrets.seal(secrets) : null;
  const task = await takeTurn(deps.kv, attached, async (op) => {
    const current = await templateRows.find(deps.kv, projectId, template.id);
    if (!current) throw notFound();
    op.check(current.entry);
    await requireInventory(deps.kv, op, attached);
    const versioned = await takeVersion(deps.kv, op, attached, current.row);
    await insertTask(deps.kv, op, storeAnswers(op, versioned));
    if (sealed) storeSecretAnswers(op, id, sealed);
    const action = versioned.status === "waiting" ? "queued" : versioned.status;
    recordEvent(op, deps, actor, taskEvent(versioned, action));
    queueTaskAlert(op, deps, versioned); // when it waits for a confirmation
    await also(op);
    return versioned;
  });
  taskChanged(deps, task);
  deps.wakeDispatcher();
  return await taskView(deps.kv, task);
}

/** Reads what the form is compared with beside the template; only what it asks for. */
async function originOf(
  kv: Deno.Kv,
  { manages, actor }: Starter,
  template: TemplateRow,
  { id, git_branch }: StartTaskForm,
): Promise<Origin> {
  const { project_id: projectId, repository_id } = template;
  const repository = git_branch && template.git_branch === null
    ? await repositoryRows.find(kv, projectId, repository_id)
    : null;
  // Whoever may change the template may also start again what it no longer allows; nobody else.
  const before = id !== null && manages && actor.kind === "user"
    ? await findTask(kv, projectId, id)
    : null;
  return {
    template,
    repositoryBranch: repository?.row.git_branch ?? null,
    before: before?.template_id === template.id ? before : null,
  };
}

/** Throws 404 unless the inventory that a task was given is one of its project. */
async function requireInventory(kv: Deno.Kv, op: Deno.AtomicOperation, task: TaskRow) {
  const id = task.given?.inventory_id ?? null;
  if (id === null) return;
  await readTargets(kv, op, task.project_id, { inventory_id: ["inventories", id] });
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

export interface TaskList {
  tasks: TaskView[];
  /** Whether older tasks match too: ask for those `before` the last one's id. */
  hasNext: boolean;
}

/** A project's or template's tasks, newest first. */
export async function listTasks(
  deps: Deps,
  actor: Actor,
  projectId: number,
  filter: TaskFilter,
): Promise<TaskList> {
  await authorize(deps.kv, actor, projectId);
  const { templateId } = filter;
  if (templateId !== undefined) await templateRows.get(deps.kv, projectId, templateId);
  const { tasks, hasNext } = await listHistory(deps.kv, projectId, filter);
  const listed = fitList(tasks);
  return {
    tasks: await taskViews(deps.kv, listed),
    hasNext: hasNext || listed.length < tasks.length,
  };
}

/** The newest builds of a template that a deploy may choose from. */
export async function listBuilds(
  deps: Deps,
  actor: Actor,
  projectId: number,
  templateId: number,
  limit: number,
): Promise<TaskView[]> {
  await authorize(deps.kv, actor, projectId);
  const builds = await listTemplateTasks(deps.kv, projectId, templateId, { limit, built: true });
  return await taskViews(deps.kv, fitList(builds));
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

/** Stops a task of any project, for admins; one that has ended stays as it is. */
export async function stopQueuedTask(deps: Deps, actor: Actor, id: number): Promise<void> {
  requireAdmin(actor);
  const open = await findOpenTask(deps.kv, id);
  if (open) await stopTask(deps, actor, open.project_id, id, false);
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
  const tell = (op: Deno.AtomicOperation) =>
    recordEvent(op, deps, actor, taskEvent(task, "deleted"));
  await removeTask(deps.kv, task, tell);
}
