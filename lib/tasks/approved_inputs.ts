import { getAll } from "../store/rows/get_all.ts";
import { rowKeys } from "../store/keys.ts";
import type { Atomic, Store } from "../store/store.ts";
import type { PinnedAccess } from "./pin_store.ts";

/** The row of an object that a task runs with, with its versionstamp at the time of an approval. */
export type InputRow = PinnedAccess;

/** The approvers of inputs: people who confirm the task, or the workflow that started it. */
const APPROVERS = ["votes", "workflow"] as const;
type Approver = (typeof APPROVERS)[number];

/** Adds the inputs with which a task may run to `op`. */
export function storeApproved(
  op: Atomic,
  taskId: number,
  by: Approver,
  rows: InputRow[],
): void {
  op.set(rowKeys.approvedInputs(taskId, by), rows);
}

/** Returns the inputs with which a task may run; undefined where no one has approved any. */
export async function readApproved(
  kv: Store,
  taskId: number,
): Promise<Partial<Record<Approver, InputRow[]>>> {
  const keys = APPROVERS.map((by) => rowKeys.approvedInputs(taskId, by));
  const [votes, workflow] = await getAll<InputRow[]>(kv, keys);
  return {
    ...votes.value && { votes: votes.value },
    ...workflow.value && { workflow: workflow.value },
  };
}

/** Adds the deletion of these inputs to `op`. */
export function deleteApproved(
  op: Atomic,
  taskId: number,
  some: readonly Approver[] = APPROVERS,
): void {
  for (const by of some) op.delete(rowKeys.approvedInputs(taskId, by));
}
