import { conflict, notFound, type Sentence } from "../base/errors.ts";
import { recordEvent } from "../events/record.ts";
import { addCounted } from "../store/counted.ts";
import { rowKeys } from "../store/keys.ts";
import { transact } from "../store/transact.ts";
import type { Atomic, Store } from "../store/store.ts";
import type { TaskRow } from "../model/task_row.ts";
import { type OpenTask, openTask } from "./open_tasks.ts";
import { isRepeated } from "./attempts.ts";
import { isActive, isFinished, mayBecome, type Status } from "../model/status.ts";
import { schedulesChanged, systemActor, taskEvent } from "./changes.ts";
import { deleteSecretAnswers } from "./answer_store.ts";
import { deleteApproved } from "./approved_inputs.ts";
import { deletePin } from "./pin_store.ts";
import { newIndexKeys } from "./history/index_keys.ts";
import { countRun } from "./trends/counters.ts";
import { findTaskEntry } from "../model/tasks.ts";

type TaskChange = Partial<Omit<TaskRow, "id" | "project_id" | "template_id" | "status">>;

/** Adds further mutations to a step. They are stored with it or not at all. */
type Also = (op: Atomic, task: TaskRow) => void | Promise<void>;

/** A step of a task, with what is stored beside it. */
interface Step {
  to: Status;
  /** Whether the task stays in its status until a later step. Its change is stored now. */
  stays?: boolean;
  change?: TaskChange;
  /** Lease of the server that runs the task from now on. If missing, the current one stays. */
  lease?: OpenTask["lease"];
  also?: Also;
  /** Records the step, which follows from the start, as an event at a time that the row has. */
  records?: { clock: { now(): Date }; action: string };
  /** Status in which the step was decided. The step fails in any other status. */
  from?: Status;
}

type TaskRef = Pick<TaskRow, "id" | "project_id">;

/** Returns a task with its row in the queue. Throws not found. */
async function hold(kv: Store, { id, project_id }: TaskRef) {
  const [task, open] = await kv.getMany<[TaskRow, OpenTask]>([
    rowKeys.task(project_id, id),
    rowKeys.openTask(id),
  ]);
  if (task.versionstamp === null) throw notFound();
  return { task, open };
}

/** Adds a step of the task in a commit of its own: see `addStep`. */
export const advance = (
  kv: Store,
  task: TaskRef,
  to: Status,
  change: TaskChange = {},
  options: Omit<Step, "to" | "change"> = {},
): Promise<TaskRow> =>
  transact(kv, (op) => addStep(kv, op, task, () => ({ ...options, to, change })));

/**
 * Adds a step of the task to `op`, as `decide` says of the row that the commit checks. No other
 * code sets a status after the first one. Throws 409 if the step may not follow (`mayBecome`), and
 * 404 if the task is deleted.
 */
export async function addStep(
  kv: Store,
  op: Atomic,
  task: TaskRef,
  decide: (current: TaskRow) => Step | Promise<Step>,
): Promise<TaskRow> {
  const { task: entry, open } = await hold(kv, task);
  const current = entry.value;
  const { status } = current;
  const step = await decide(current);
  const { change = {}, lease = null, also = () => {}, records, from, stays = false } = step;
  const isLate = from !== undefined && status !== from;
  if (isLate || !mayBecome(status, step.to)) {
    const named = (status: Status): Sentence => ({ key: `tasks.status.${status}` });
    throw conflict("errors.task_status", { from: named(status), to: named(step.to) });
  }
  const to = stays ? status : step.to;
  const now = records?.clock.now();
  const steps = now && [...current.steps ?? [], now.getTime() - Date.parse(current.created)];
  const next: TaskRow = { ...current, ...change, ...steps && { steps }, status: to };
  await setTask(kv, op, entry, next);
  for (const key of newIndexKeys(current, next)) addCounted(op, key);
  if (isFinished(to)) {
    op.delete(rowKeys.openTask(next.id)).delete(rowKeys.remoteRun(next.id));
    if (!isRepeated(next)) {
      deleteSecretAnswers(op, next.id);
      deleteApproved(op, next.id);
    }
    deletePin(op, next);
    countRun(op, next);
    schedulesChanged(op, [next]);
  } else {
    const kept = isActive(to) ? open.value?.lease : null;
    op.set(rowKeys.openTask(next.id), openTask(next, lease ?? kept ?? null));
  }
  if (records) {
    const deps = { kv, clock: { now: () => now! } };
    recordEvent(op, deps, systemActor(next), taskEvent(next, records.action));
  }
  await also(op, next);
  return next;
}

/** Sets members of a task without a step, such as the commit once it is known. */
export function amendTask(
  kv: Store,
  task: TaskRef,
  change: TaskChange,
): Promise<TaskRow> {
  return transact(kv, (op) => addAmendment(kv, op, task, () => change));
}

/** Adds such a change to `op`, as `decide` says of the row that the commit checks. */
export async function addAmendment(
  kv: Store,
  op: Atomic,
  task: TaskRef,
  decide: (current: TaskRow) => TaskChange,
): Promise<TaskRow> {
  const { task: entry } = await hold(kv, task);
  const next: TaskRow = { ...entry.value, ...decide(entry.value) };
  await setTask(kv, op, entry, next);
  return next;
}

/** Stores rows of an unfinished task. Throws 409 if it has ended. */
export function storeWhileOpen(
  kv: Store,
  task: Pick<TaskRow, "id" | "project_id">,
  add: (op: Atomic) => void,
): Promise<void> {
  return transact(kv, async (op) => {
    const entry = await findTaskEntry(kv, task.project_id, task.id);
    if (!entry.value || isFinished(entry.value.status)) throw conflict("errors.run.lease_lost");
    add(op.check(entry));
  });
}

/**
 * Adds the changed task to `op`, and its copy if it is the template's latest task. The copy is read
 * last, because each start of the template replaces it.
 */
async function setTask(
  kv: Store,
  op: Atomic,
  task: Deno.KvEntry<TaskRow>,
  next: TaskRow,
): Promise<void> {
  op.check(task).set(task.key, next).set(rowKeys.tasksWake(), next.id);
  const last = await kv.get<TaskRow>(rowKeys.lastTask(next.project_id, next.template_id));
  if (last.value?.id === next.id) op.check(last).set(last.key, next);
}
