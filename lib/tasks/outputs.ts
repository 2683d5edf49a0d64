import type { ProjectScope } from "../access/scope.ts";
import { getSeenTask } from "../access/seen/tasks.ts";
import { deleteFound } from "../store/delete_prefix.ts";
import { rowKeys } from "../store/keys.ts";
import type { Atomic, Store } from "../store/store.ts";
import type { TaskOutputValue } from "./schema.ts";
import type { TaskRow } from "../model/task_row.ts";

/** Returns the outputs of a task by name, in alphabetical order. It has none before its end. */
export async function outputsOf(
  kv: Store,
  projectId: number,
  taskId: number,
): Promise<Map<string, string>> {
  const decoder = new TextDecoder();
  const rows = kv.list<Uint8Array>({ prefix: rowKeys.taskOutputs(projectId, taskId) });
  const entries = await Array.fromAsync(
    rows,
    ({ key, value }) => [key.at(-1) as string, decoder.decode(value)] as const,
  );
  return new Map(entries);
}

/** Returns the outputs of a task. Throws not found. */
export async function listOutputs(
  scope: ProjectScope,
  taskId: number,
): Promise<TaskOutputValue[]> {
  const { deps: { kv }, projectId } = scope;
  const { id } = await getSeenTask(scope, taskId);
  return [...await outputsOf(kv, projectId, id)].map(([name, value]) => ({ name, value }));
}

/** Adds the outputs of a task to `op`. Bytes, because a rare character doubles a stored text. */
export function storeOutputs(
  op: Atomic,
  { project_id: projectId, id }: Pick<TaskRow, "project_id" | "id">,
  outputs: ReadonlyMap<string, string>,
): void {
  const encoder = new TextEncoder();
  for (const [name, value] of outputs) {
    op.set(rowKeys.taskOutput(projectId, id, name), encoder.encode(value));
  }
}

/** Deletes the outputs of tasks. */
export const deleteOutputs = (kv: Store, projectId: number, taskIds: number[]): Promise<void> =>
  deleteFound(kv, taskIds.map((id) => ({ prefix: rowKeys.taskOutputs(projectId, id) })));
