import { cachedWhile } from "../store/cached.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import type { KeptPlan } from "../execution/run/plan.ts";
import { isPersonal } from "./personal.ts";
import type { TaskRow } from "../model/task_row.ts";
import { isFinished, type Status } from "../model/status.ts";

/** A task that has not ended, with all that the dispatcher needs to decide. */
export interface OpenTask {
  id: number;
  project_id: number;
  template_id: number;
  status: Status;
  created: string;
  /** Labels that the task's runner must have. */
  labels?: string[];
  /** Whether it has secrets of a person, which no runner of a project gets. */
  personal?: true;
  /** Whether its runner must know several keys. */
  keys?: true;
  /** Whether its runner must know working directories. */
  folder?: true;
  /** Templates and inventories whose files it keeps, so that no other task may run with them. */
  keeps?: string[];
  toolchain_id?: number;
  /** Set for a check, which starts after all other tasks that may start. */
  check?: true;
  /** The runner that has claimed the task, or ran its preview. */
  runner_id?: number;
  runner_name?: string;
  /** Whether a runner was called for, because there was none that could run the task. */
  called?: boolean;
  /** The server or runner that has the task, and the time until which its lease holds. */
  lease: { owner: string; until: number } | null;
}

/**
 * Renewed three times as often. Long enough for a busy server, short enough to notice a dead one.
 */
export const LEASE_MS = 30_000;

/** Renews the lease of a task. Returns false if another server has taken it, or it ended. */
export async function renewLease(
  kv: Store,
  taskId: number,
  lease: { owner: string; until: number },
): Promise<boolean> {
  const entry = await kv.get<OpenTask>(rowKeys.openTask(taskId));
  if (entry.value?.lease?.owner !== lease.owner) return false;
  const renewed = await kv.atomic().check(entry).set(entry.key, { ...entry.value, lease }).commit();
  // A step of the task itself, such as a stop, may have just changed the row. It kept the lease.
  return renewed.ok || (await kv.get<OpenTask>(rowKeys.openTask(taskId))).value !== null;
}

/** Returns every unfinished task, oldest first, queued or running. `requireRoom` bounds them. */
export async function listOpenTasks(kv: Store): Promise<OpenTask[]> {
  const open: OpenTask[] = [];
  for await (
    const { value } of kv.list<OpenTask>({ prefix: rowKeys.openTasks() }, { batchSize: 500 })
  ) {
    open.push(value);
  }
  return open;
}

/** Returns the same, read once per change for all callers. The list must not be modified. */
export const readOpenTasks = (kv: Store): Promise<OpenTask[]> =>
  cachedWhile(kv, [rowKeys.tasksWake()], "open tasks", () => listOpenTasks(kv));

/** Returns the task's row in the queue; null once it has ended. */
export const findOpenTask = async (kv: Store, id: number): Promise<OpenTask | null> =>
  (await kv.get<OpenTask>(rowKeys.openTask(id))).value;

/**
 * Repairs a queue row that differs from its task. Both are stored together, but the queue must not
 * block forever because once they were not.
 */
export async function repairQueueRow(
  kv: Store,
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

/** Returns the queue row of a task. */
export function openTask(task: TaskRow, lease: OpenTask["lease"]): OpenTask {
  const { id, project_id, template_id, status, created, runner_labels: labels, runner_id } = task;
  return {
    ...{ id, project_id, template_id, status, created, lease },
    ...labels && { labels },
    ...isPersonal(task) && { personal: true },
    ...task.several_keys && { keys: true },
    ...task.working_directory !== undefined && { folder: true },
    ...task.keeps && { keeps: task.keeps.map(({ of }) => keeperOf(task, of)) },
    ...task.toolchain_id && { toolchain_id: task.toolchain_id },
    ...task.check && { check: true },
    ...runner_id && { runner_id, runner_name: task.runner_name },
  };
}

const keeperOf = ({ project_id, template_id, inventory_id }: TaskRow, of: KeptPlan["of"]): string =>
  `${project_id} ${of} ${of === "template" ? template_id : inventory_id}`;

/** Returns a project's unfinished tasks. */
export async function listProjectOpenTasks(kv: Store, projectId: number): Promise<OpenTask[]> {
  return (await listOpenTasks(kv)).filter(({ project_id }) => project_id === projectId);
}
