import { rowKeys } from "../kv/keys.ts";
import type { TaskRow } from "./schema.ts";
import { isFinished, type Status } from "./status.ts";

/** A task that has no end yet: all that the dispatcher needs to decide. */
export interface OpenTask {
  id: number;
  project_id: number;
  template_id: number;
  status: Status;
  created: string;
  /** The server that runs it, and until when that is believed without a new sign of life. */
  lease: { owner: string; until: number } | null;
}

/** Renewed three times as often. Long enough for a busy server, short enough for a dead one. */
export const LEASE_MS = 30_000;

/** Says that the server still runs the task. False when another one has taken it, or it ended. */
export async function renewLease(
  kv: Deno.Kv,
  taskId: number,
  lease: { owner: string; until: number },
): Promise<boolean> {
  const entry = await kv.get<OpenTask>(rowKeys.openTask(taskId));
  if (entry.value?.lease?.owner !== lease.owner) return false;
  const renewed = await kv.atomic().check(entry).set(entry.key, { ...entry.value, lease }).commit();
  // A step of the task itself (a stop, say) may have moved the row just now: it kept the lease.
  return renewed.ok || (await kv.get<OpenTask>(rowKeys.openTask(taskId))).value !== null;
}

/** Every task without an end, oldest first: the queue and what runs. queue_limit.ts bounds them. */
export async function listOpenTasks(kv: Deno.Kv): Promise<OpenTask[]> {
  const open: OpenTask[] = [];
  for await (
    const { value } of kv.list<OpenTask>({ prefix: rowKeys.openTasks() }, { batchSize: 500 })
  ) {
    open.push(value);
  }
  return open;
}

/** The task's row in the queue; null once it has ended. */
export const findOpenTask = async (kv: Deno.Kv, id: number): Promise<OpenTask | null> =>
  (await kv.get<OpenTask>(rowKeys.openTask(id))).value;

/**
 * Lets the queue's row say what its task says: both are stored together, but a queue must not stand
 * still for ever because once they were not.
 */
export async function mendOpenTask(
  kv: Deno.Kv,
  { id, project_id }: Pick<OpenTask, "id" | "project_id">,
): Promise<void> {
  const [task, open] = await kv.getMany<[TaskRow, OpenTask]>([
    rowKeys.task(project_id, id),
    rowKeys.openTask(id),
  ]);
  if (open.value === null || task.value?.status === open.value.status) return;
  const op = kv.atomic().check(task, open).set(rowKeys.tasksWake(), id);
  if (!task.value || isFinished(task.value.status)) op.delete(open.key);
  else op.set(open.key, openTask(task.value, open.value.lease));
  await op.commit();
}

/** The row in the queue of a task. */
export function openTask(task: TaskRow, lease: OpenTask["lease"]): OpenTask {
  const { id, project_id, template_id, status, created } = task;
  return { id, project_id, template_id, status, created, lease };
}

/** A project's tasks that have no end yet. */
export async function listProjectOpenTasks(kv: Deno.Kv, projectId: number): Promise<OpenTask[]> {
  return (await listOpenTasks(kv)).filter(({ project_id }) => project_id === projectId);
}
