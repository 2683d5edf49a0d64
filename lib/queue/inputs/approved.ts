import type { Deps } from "../../access/deps.ts";
import type { Sentence } from "../../base/errors.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import {
  deleteApproved,
  type InputRow,
  readApproved,
  storeApproved,
} from "../../tasks/approved_inputs.ts";
import { isPreviewing } from "../../tasks/preview_state.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { readVotes } from "../../tasks/vote_store.ts";
import { changedInput, changeOf, inputRows, requireApproved, saysChanged } from "./inputs.ts";

/**
 * Adds to `op` the inputs that someone approves with a vote about a task. Returns what has changed
 * since the earlier votes, which `op` then deletes; null if nothing has.
 */
export async function approveInputs(
  kv: Store,
  op: Atomic,
  task: TaskRow,
): Promise<Sentence | null> {
  const { id, project_id: projectId } = task;
  const [now, { votes: before }] = await Promise.all([ownInputs(kv, task), readApproved(kv, id)]);
  storeApproved(op, id, "votes", now);
  const changed = before && changedInput(before, now);
  if (!changed) return null;
  await deleteVotesIn(kv, op, task);
  return await changeOf(kv, projectId, changed);
}

/** A preview has pinned the other inputs, and the task runs with them: see pins.ts. */
async function ownInputs(kv: Store, task: TaskRow): Promise<InputRow[]> {
  const rows = await inputRows(kv, task);
  return task.preview
    ? rows.filter(({ ref: [kind] }) => kind === "keys" || kind === "secret_storages")
    : rows;
}

/** Adds to `op` that no vote about a task counts anymore. */
export async function deleteVotesIn(
  kv: Store,
  op: Atomic,
  { id, project_id: projectId }: TaskRow,
): Promise<void> {
  for (const { user_id } of await readVotes(kv, projectId, id)) {
    op.delete(rowKeys.taskVote(projectId, id, user_id));
  }
}

/**
 * Throws 409 if an input has changed since its approval. Called after a plan has read all of them:
 * no version comes back, so they were not different before either.
 */
export async function requireApprovedInputs({ kv }: Pick<Deps, "kv">, task: TaskRow) {
  if (isPreviewing(task) || !task.approval && !task.workflow) return;
  const { workflow = [], votes = [] } = await readApproved(kv, task.id);
  // The task has a copy of its template.
  const rows = [...workflow, ...votes].filter(({ ref: [kind] }) => kind !== "templates");
  await requireApproved(kv, task.project_id, rows);
}

/**
 * Adds to `op` that the next attempt of a task runs with the inputs that were approved for the step
 * of its workflow. Throws 409 if one has changed, because no one would be asked again.
 */
export async function passOnApproved(
  kv: Store,
  op: Atomic,
  { id, project_id }: TaskRow,
  nextId: number,
): Promise<void> {
  const { workflow } = await readApproved(kv, id);
  deleteApproved(op, id);
  if (!workflow) return;
  await requireApproved(kv, project_id, workflow);
  storeApproved(op, nextId, "workflow", workflow);
}

/** Whether people are asked again about a task that could not run because an input changed. */
export async function isAskedAgain(
  kv: Store,
  task: TaskRow,
  reason: Sentence | null,
): Promise<boolean> {
  if (!saysChanged(reason) || !task.approval || task.preview) return false;
  const { workflow = [] } = await readApproved(kv, task.id);
  // The workflow asks again for its own approval, and starts another task.
  return workflow.length === 0 || await isAsApproved(kv, task, workflow);
}

const isAsApproved = (kv: Store, task: TaskRow, approved: readonly InputRow[]) =>
  requireApproved(kv, task.project_id, approved).then(() => true, () => false);
