import { serialize } from "node:v8";
import { AppError, conflict, notFound } from "../errors.ts";
import { keys } from "../kv/keys.ts";
import { transact } from "../kv/transact.ts";
import type { OpenTask, TaskRow } from "./schema.ts";
import { isActive, isFinished, mayBecome, type Status } from "./status.ts";

/** Renewed three times as often. Long enough for a busy server, short enough for a dead one. */
export const LEASE_MS = 30_000;

/** KV takes 64 KiB a value, and a commit's message and the reason of the end come later. */
const TASK_BYTES_MAX = 56 * 1024;

/** Adds a new task, open and queued, to `op`. Throws 400 for one that KV would not take. */
export function insertTask(op: Deno.AtomicOperation, task: TaskRow): void {
  if (serialize(task).byteLength > TASK_BYTES_MAX) {
    throw new AppError(400, "errors.task_too_large", { max: TASK_BYTES_MAX });
  }
  const { id, project_id: projectId, template_id: templateId } = task;
  op.check({ key: keys.task(projectId, id), versionstamp: null })
    .set(keys.task(projectId, id), task)
    .set(keys.taskByTemplate(projectId, templateId, id), true)
    .set(keys.lastTask(projectId, templateId), task)
    .set(keys.openTask(id), openTask(task, null))
    .set(keys.tasksWake(), id);
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

export type TaskChange = Partial<Omit<TaskRow, "id" | "project_id" | "template_id" | "status">>;

/** Adds further mutations that belong to a step: they are stored with it, or not at all. */
type Also = (op: Deno.AtomicOperation, task: TaskRow) => void;

/**
 * Takes the task one step further, and sets what else changes with it; the only place where a
 * status is set. Throws 409 when that step may not follow (`mayBecome`), 404 when it is gone.
 */
export function advance(
  kv: Deno.Kv,
  task: Pick<TaskRow, "id" | "project_id">,
  to: Status,
  change: TaskChange = {},
  { lease = null, also = () => {} }: { lease?: OpenTask["lease"]; also?: Also } = {},
): Promise<TaskRow> {
  return transact(kv, async (op) => {
    const entry = await kv.get<TaskRow>(keys.task(task.project_id, task.id));
    if (!entry.value) throw notFound();
    if (!mayBecome(entry.value.status, to)) {
      throw conflict("errors.task_status", { from: entry.value.status, to });
    }
    const next: TaskRow = { ...entry.value, ...change, status: to };
    await setTask(kv, op, entry, next);
    if (isFinished(to)) {
      op.delete(keys.openTask(next.id)).delete(keys.taskSecrets(next.id));
      // Also deploys: a chain of deploys picks from those that went well before it.
      if (to === "success" && next.template_type !== "") {
        op.set(keys.build(next.project_id, next.template_id, next.id), true);
      }
    } else {
      const kept = isActive(to) && !lease ? (await kv.get<OpenTask>(keys.openTask(next.id))) : null;
      op.set(keys.openTask(next.id), openTask(next, lease ?? kept?.value?.lease ?? null));
    }
    also(op, next);
    return next;
  });
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
export async function setTask(
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

/** Every task without an end, oldest first: the queue and what runs. */
export async function listOpenTasks(kv: Deno.Kv): Promise<OpenTask[]> {
  const open: OpenTask[] = [];
  for await (
    const { value } of kv.list<OpenTask>({ prefix: keys.openTasks() }, { batchSize: 500 })
  ) {
    open.push(value);
  }
  return open;
}

export interface TaskPage {
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

/** KV reads at most this many rows by key at once. */
const GET_MANY_MAX = 10;

/** The tasks of these projects and ids that there are, in the order asked for. */
export async function getTasks(kv: Deno.Kv, ids: [project: number, id: number][]) {
  const batches: Promise<Deno.KvEntryMaybe<TaskRow>[]>[] = [];
  for (let i = 0; i < ids.length; i += GET_MANY_MAX) {
    const batch = ids.slice(i, i + GET_MANY_MAX).map(([project, id]) => keys.task(project, id));
    batches.push(kv.getMany<TaskRow[]>(batch));
  }
  return (await Promise.all(batches)).flat().flatMap(({ value }) => value ?? []);
}

function openTask(task: TaskRow, lease: OpenTask["lease"]): OpenTask {
  const { id, project_id, template_id, status, created, allow_parallel } = task;
  return { id, project_id, template_id, status, created, allow_parallel, lease };
}
