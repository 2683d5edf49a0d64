import { serialize } from "node:v8";
import { AppError, conflict, notFound } from "../base/errors.ts";
import { chunkCount, deleteChunks } from "../kv/chunks.ts";
import { getAll } from "../kv/get_all.ts";
import { holdProject } from "../kv/hold_project.ts";
import { inTurn } from "../kv/in_turn.ts";
import { keys } from "../kv/keys.ts";
import { transact } from "../kv/transact.ts";
import { LONG_TEXT_BYTES_MAX } from "../base/fields.ts";
import type { OpenTask, TaskRow } from "./schema.ts";
import { isActive, isFinished, mayBecome, mayBegin, type Status } from "./status.ts";

/** Renewed three times as often. Long enough for a busy server, short enough for a dead one. */
export const LEASE_MS = 30_000;

/** KV takes 64 KiB a value, and a commit's message and the reason of the end come later. */
const TASK_BYTES_MAX = 56 * 1024;

/** Rows that a task's secret answers may take: encryption adds a few bytes to the longest. */
export const SECRET_CHUNKS_MAX = chunkCount(LONG_TEXT_BYTES_MAX + 1024);

/** Adds to `op` that a task's secret answers go. */
export function deleteSecretAnswers(op: Deno.AtomicOperation, taskId: number): void {
  deleteChunks(op, (n) => keys.taskSecrets(taskId, n), SECRET_CHUNKS_MAX);
}

/**
 * A transaction that may change which task is its template's newest. Starts of one template would
 * only make each other begin again: in one process they come one after the other.
 */
export function takeTurn<T>(
  kv: Deno.Kv,
  { project_id, template_id }: Pick<TaskRow, "project_id" | "template_id">,
  attempt: (op: Deno.AtomicOperation) => Promise<T>,
): Promise<T> {
  return inTurn(kv, `newest task ${project_id}/${template_id}`, () => transact(kv, attempt));
}

/**
 * Adds a new task to `op`: queued, unless it comes with its end. Throws 400 for one that KV would
 * not take, not found for a project that is gone or going.
 */
export async function insertTask(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  task: TaskRow,
): Promise<void> {
  if (serialize(task).byteLength > TASK_BYTES_MAX) {
    throw new AppError(400, "errors.task_too_large", { max: TASK_BYTES_MAX });
  }
  if (!mayBegin(task.status)) throw new Error(`a task cannot begin as ${task.status}`);
  const { id, project_id: projectId, template_id: templateId } = task;
  await holdProject(kv, op, projectId);
  const [last, count] = await kv.getMany<[TaskRow, Deno.KvU64]>([
    keys.lastTask(projectId, templateId),
    keys.taskCount(projectId, templateId),
  ]);
  // Ids are given out before tasks are stored, so that an older one may come later. Other starts
  // move the count; the steps of the newest task, which move its copy only, need not be waited for.
  if (last.value && last.value.id > id) op.check(last);
  else op.set(last.key, task);
  op.check(count, { key: keys.task(projectId, id), versionstamp: null })
    .set(keys.task(projectId, id), task)
    .set(keys.tasksWake(), id)
    .sum(count.key, 1n);
  if (!isFinished(task.status)) op.set(keys.openTask(id), openTask(task, null));
  for (const key of indexKeys(task)) op.set(key, true);
}

/**
 * The rows that lead to a task from what history is filtered by. A status is among that only when
 * it is the last one: all tasks of the others are in `open_tasks`.
 */
export function indexKeys(task: TaskRow): Deno.KvKey[] {
  const { id, project_id, template_id, user_id, status } = task;
  const found = [keys.taskByTemplate(project_id, template_id, id)];
  for (const template of [0, template_id]) {
    for (const user of user_id === null ? [0] : [0, user_id]) {
      if (user !== 0) found.push(keys.taskInHistory(project_id, template, user, "", id));
      if (isFinished(status)) {
        found.push(keys.taskInHistory(project_id, template, user, status, id));
      }
    }
  }
  // Also deploys: a chain of deploys picks from those that went well before it.
  if (status === "success" && task.template_type !== "") {
    found.push(keys.build(project_id, template_id, id));
  }
  return found;
}

/** The task, or null: found by project and id together. */
export async function findTask(
  kv: Deno.Kv,
  projectId: number,
  id: number,
): Promise<TaskRow | null> {
  return (await kv.get<TaskRow>(keys.task(projectId, id))).value;
}

/** The task; throws not found. */
export async function getTask(kv: Deno.Kv, projectId: number, id: number): Promise<TaskRow> {
  const task = await findTask(kv, projectId, id);
  if (!task) throw notFound();
  return task;
}

type TaskChange = Partial<Omit<TaskRow, "id" | "project_id" | "template_id" | "status">>;

/** Adds further mutations that belong to a step: they are stored with it, or not at all. */
type Also = (op: Deno.AtomicOperation, task: TaskRow) => void;

interface StepOptions {
  /** Of who runs the task from now on; without one, that of before is kept. */
  lease?: OpenTask["lease"];
  also?: Also;
}

/** Takes the task one step further, in a commit of its own: see `addStep`. */
export const advance = (
  kv: Deno.Kv,
  task: Pick<TaskRow, "id" | "project_id">,
  to: Status,
  change: TaskChange = {},
  options: StepOptions = {},
): Promise<TaskRow> => transact(kv, (op) => addStep(kv, op, task, to, change, options));

/**
 * Adds to `op` a step of the task, and what else changes with it; the only place where a status is
 * set after the first one. Throws 409 when that step may not follow (`mayBecome`), 404 when the task
 * is gone.
 */
export async function addStep(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  task: Pick<TaskRow, "id" | "project_id">,
  to: Status,
  change: TaskChange = {},
  { lease = null, also = () => {} }: StepOptions = {},
): Promise<TaskRow> {
  const entry = await kv.get<TaskRow>(keys.task(task.project_id, task.id));
  if (!entry.value) throw notFound();
  if (!mayBecome(entry.value.status, to)) {
    throw conflict("errors.task_status", { from: entry.value.status, to });
  }
  const next: TaskRow = { ...entry.value, ...change, status: to };
  await setTask(kv, op, entry, next);
  if (isFinished(to)) {
    op.delete(keys.openTask(next.id));
    deleteSecretAnswers(op, next.id);
    for (const key of indexKeys(next)) op.set(key, true);
  } else {
    const kept = isActive(to) && !lease ? (await kv.get<OpenTask>(keys.openTask(next.id))) : null;
    op.set(keys.openTask(next.id), openTask(next, lease ?? kept?.value?.lease ?? null));
  }
  also(op, next);
  return next;
}

/** Sets members of a task without a step; for what is learnt on the way, such as the commit. */
export function amendTask(
  kv: Deno.Kv,
  task: Pick<TaskRow, "id" | "project_id">,
  change: TaskChange,
): Promise<TaskRow> {
  return transact(kv, async (op) => {
    const entry = await kv.get<TaskRow>(keys.task(task.project_id, task.id));
    if (!entry.value) throw notFound();
    const next: TaskRow = { ...entry.value, ...change };
    await setTask(kv, op, entry, next);
    return next;
  });
}

/** Adds the changed task to `op`, and its copy where it is its template's newest. */
async function setTask(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  entry: Deno.KvEntryMaybe<TaskRow>,
  next: TaskRow,
): Promise<void> {
  op.check(entry).set(entry.key, next).set(keys.tasksWake(), next.id);
  const last = await kv.get<TaskRow>(keys.lastTask(next.project_id, next.template_id));
  if (last.value?.id === next.id) op.check(last).set(last.key, next);
}

/** Says that the server still runs the task. False when another one has taken it, or it ended. */
export async function renewLease(
  kv: Deno.Kv,
  taskId: number,
  lease: { owner: string; until: number },
): Promise<boolean> {
  const entry = await kv.get<OpenTask>(keys.openTask(taskId));
  if (entry.value?.lease?.owner !== lease.owner) return false;
  const renewed = await kv.atomic().check(entry).set(entry.key, { ...entry.value, lease }).commit();
  // A step of the task itself (a stop, say) may have moved the row just now: it kept the lease.
  return renewed.ok || (await kv.get<OpenTask>(keys.openTask(taskId))).value !== null;
}

/** Every task without an end, oldest first: the queue and what runs. queue_limit.ts bounds them. */
export async function listOpenTasks(kv: Deno.Kv): Promise<OpenTask[]> {
  const open: OpenTask[] = [];
  for await (
    const { value } of kv.list<OpenTask>({ prefix: keys.openTasks() }, { batchSize: 500 })
  ) {
    open.push(value);
  }
  return open;
}

/** The task's row in the queue; null once it has ended. */
export const findOpenTask = async (kv: Deno.Kv, id: number): Promise<OpenTask | null> =>
  (await kv.get<OpenTask>(keys.openTask(id))).value;

/**
 * Lets the queue's row say what its task says: both are stored together, but a queue must not stand
 * still for ever because once they were not.
 */
export async function mendOpenTask(
  kv: Deno.Kv,
  { id, project_id }: Pick<OpenTask, "id" | "project_id">,
): Promise<void> {
  const [task, open] = await kv.getMany<[TaskRow, OpenTask]>([
    keys.task(project_id, id),
    keys.openTask(id),
  ]);
  if (open.value === null || task.value?.status === open.value.status) return;
  const op = kv.atomic().check(task, open);
  if (!task.value || isFinished(task.value.status)) op.delete(open.key);
  else op.set(open.key, openTask(task.value, open.value.lease));
  await op.commit();
}

interface TaskPage {
  limit: number;
  /** Only tasks with a smaller id. */
  before?: number;
}

/** A project's tasks, newest first. */
export function listTasks(kv: Deno.Kv, projectId: number, page: TaskPage): Promise<TaskRow[]> {
  return Array.fromAsync(
    kv.list<TaskRow>(newestFirst(keys.tasks(projectId), page.before), {
      reverse: true,
      limit: page.limit,
      batchSize: Math.min(page.limit, 500),
    }),
    ({ value }) => value,
  );
}

/** A template's tasks, newest first; with `built`, only those of its builds that succeeded. */
export async function listTemplateTasks(
  kv: Deno.Kv,
  projectId: number,
  templateId: number,
  page: TaskPage & { built?: boolean },
): Promise<TaskRow[]> {
  const prefix = page.built
    ? keys.builds(projectId, templateId)
    : keys.tasksByTemplate(projectId, templateId);
  const ids = await Array.fromAsync(
    kv.list(newestFirst(prefix, page.before), {
      reverse: true,
      limit: page.limit,
      batchSize: Math.min(page.limit, 500),
    }),
    ({ key }) => key.at(-1) as number,
  );
  return await getTasks(kv, ids.map((id) => [projectId, id]));
}

function newestFirst(prefix: Deno.KvKey, before?: number): Deno.KvListSelector {
  return before === undefined ? { prefix } : { prefix, end: [...prefix, before] };
}

/** The tasks of these projects and ids that there are, in the order asked for. */
export async function getTasks(
  kv: Deno.Kv,
  ids: [project: number, id: number][],
): Promise<TaskRow[]> {
  const rows = await getAll<TaskRow>(kv, ids.map(([project, id]) => keys.task(project, id)));
  return rows.flatMap(({ value }) => value ?? []);
}

function openTask(task: TaskRow, lease: OpenTask["lease"]): OpenTask {
  const { id, project_id, template_id, status, created } = task;
  return { id, project_id, template_id, status, created, lease };
}

/** A project's tasks that have no end yet. */
export async function listProjectOpenTasks(kv: Deno.Kv, projectId: number): Promise<OpenTask[]> {
  return (await listOpenTasks(kv)).filter(({ project_id }) => project_id === projectId);
}
