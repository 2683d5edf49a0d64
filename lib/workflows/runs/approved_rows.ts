import { deleteChunks, readChunks, setChunks } from "../../store/rows/chunks.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import type { InputRow } from "../../tasks/approved_inputs.ts";
import type { RunRow } from "../run_schema.ts";

/** 100 steps with more than 50 objects each. */
const CHUNKS_MAX = 10;

type RunRef = Pick<RunRow, "project_id" | "id">;

const keyOf = ({ project_id, id }: RunRef, stepId: number) => (n: number) =>
  rowKeys.workflowApproved(project_id, id, stepId, n);

/** Adds the inputs of the steps behind an approval to `op`. */
export function storeApprovedRows(
  op: Atomic,
  run: RunRef,
  stepId: number,
  rows: readonly InputRow[],
): void {
  deleteApprovedRows(op, run, stepId);
  setChunks(op, keyOf(run, stepId), new TextEncoder().encode(JSON.stringify(rows)));
}

/** Returns these inputs; null if no one has approved any. */
export async function readApprovedRows(
  kv: Store,
  run: RunRef,
  stepId: number,
): Promise<InputRow[] | null> {
  const bytes = await readChunks(kv, keyOf(run, stepId), CHUNKS_MAX);
  return bytes.length === 0 ? null : JSON.parse(new TextDecoder().decode(bytes));
}

/** Adds the deletion of these inputs to `op`. */
export const deleteApprovedRows = (op: Atomic, run: RunRef, stepId: number): void =>
  deleteChunks(op, keyOf(run, stepId), CHUNKS_MAX);

/** Adds the approved inputs of the steps that a run keeps from the one that it repeats to `op`. */
export async function keepApproved(
  kv: Store,
  op: Atomic,
  run: RunRow,
  againOf: number,
): Promise<void> {
  for (const [id, { kept, approved }] of Object.entries(run.steps)) {
    if (!kept || approved === undefined) continue;
    const rows = await readApprovedRows(kv, { ...run, id: againOf }, Number(id));
    if (rows) storeApprovedRows(op, run, Number(id), rows);
  }
}
