import { conflict, notFound, type Sentence } from "../base/errors.ts";
import { addCounted } from "../kv/counted.ts";
import { rowKeys } from "../kv/keys.ts";
import { transact } from "../kv/transact.ts";
import type { TaskRow } from "./schema.ts";
import { type OpenTask, openTask } from "./open_tasks.ts";
import { isRepeated } from "./attempts.ts";
import { isActive, isFinished, mayBecome, type Status } from "./status.ts";
import { schedulesChanged } from "./changes.ts";
import { deleteSecretAnswers } from "./answer_store.ts";
import { deletePin } from "./pin_store.ts";
import { newIndexKeys } from "./index_keys.ts";
import { countRun } from "./trends/counters.ts";

type TaskChange = Partial<Omit<TaskRow, "id" | "project_id" | "template_id" | "status">>;

/** Adds further mutations to a step. They are stored with it or not at all. */
type Also = (op: Deno.AtomicOperation, task: TaskRow) => void | Promise<void>;

/** A step of a task, with what is stored beside it. */
interface Step {
  to: Status;
  /** Whether the task stays in its status until a later step. Its change is stored now. */
  stays?: boolean;
  change?: TaskChange;
  /** Lease of the server that runs the task from now on. If missing, the current one stays. */
  lease?: OpenTask["lease"];
  also?: Also;
  /** Status in which the step was decided. The step fails in any other status. */
  from?: Status;
}

/** Adds a step of the task in a commit of its own: see `addStep`. */
export const advance = (
  kv: Deno.Kv,
  task: Pick<TaskRow, "id" | "project_id">,
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
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  task: Pick<TaskRow, "id" | "project_id">,
  decide: (current: TaskRow) => Step | Promise<Step>,
): Promise<TaskRow> {
  const entry = await kv.get<TaskRow>(rowKeys.task(task.project_id, task.id));
  if (!entry.value) throw notFound();
  const { status } = entry.value;
  const step = await decide(entry.value);
  const { change = {}, lease = null, also = () => {}, from, stays = false } = step;
  const isLate = from !== undefined && status !== from;
  if (isLate || !mayBecome(status, step.to)) {
    const named = (status: Status): Sentence => ({ key: `tasks.status.${status}` });
    throw conflict("errors.task_status", { from: named(status), to: named(step.to) });
  }
  const to = stays ? status : step.to;
  const next: TaskRow = { ...entry.value, ...change, status: to };
  await setTask(kv, op, entry, next);
  for (const key of newIndexKeys(entry.value, next)) addCounted(op, key);
  if (isFinished(to)) {
    op.delete(rowKeys.openTask(next.id)).delete(rowKeys.remoteRun(next.id));
    if (!isRepeated(next)) deleteSecretAnswers(op, next.id);
    deletePin(op, next);
    countRun(op, next);
    schedulesChanged(op, [next]);
  } else {
    const kept = isActive(to) && !lease
      ? (await kv.get<OpenTask>(rowKeys.openTask(next.id)))
      : null;
    op.set(rowKeys.openTask(next.id), openTask(next, lease ?? kept?.value?.lease ?? null));
  }
  await also(op, next);
  return next;
}

/** Sets members of a task without a step, such as the commit once it is known. */
export function amendTask(
  kv: Deno.Kv,
  task: Pick<TaskRow, "id" | "project_id">,
  change: TaskChange,
): Promise<TaskRow> {
  return transact(kv, (op) => addAmendment(kv, op, task, () => change));
}

/** Adds such a change to `op`, as `decide` says of the row that the commit checks. */
export async function addAmendment(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  task: Pick<TaskRow, "id" | "project_id">,
  decide: (current: TaskRow) => TaskChange,
): Promise<TaskRow> {
  const entry = await kv.get<TaskRow>(rowKeys.task(task.project_id, task.id));
  if (!entry.value) throw notFound();
  const next: TaskRow = { ...entry.value, ...decide(entry.value) };
  await setTask(kv, op, entry, next);
  return next;
}

/** Stores rows of an unfinished task. Throws 409 if it has ended. */
export function storeWhileOpen(
  kv: Deno.Kv,
  task: Pick<TaskRow, "id" | "project_id">,
  add: (op: Deno.AtomicOperation) => void,
): Promise<void> {
  return transact(kv, async (op) => {
    const entry = await kv.get<TaskRow>(rowKeys.task(task.project_id, task.id));
    if (!entry.value || isFinished(entry.value.status)) throw conflict("errors.run.lease_lost");
    add(op.check(entry));
  });
}

/** Adds the changed task to `op`, and its copy if it is the template's latest task. */
async function setTask(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  entry: Deno.KvEntryMaybe<TaskRow>,
  next: TaskRow,
): Promise<void> {
  op.check(entry).set(entry.key, next).set(rowKeys.tasksWake(), next.id);
  const last = await kv.get<TaskRow>(rowKeys.lastTask(next.project_id, next.template_id));
  if (last.value?.id === next.id) op.check(last).set(last.key, next);
}
