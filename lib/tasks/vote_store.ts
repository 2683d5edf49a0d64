import type { Vote } from "../approvals/schema.ts";
import { deleteFound } from "../store/delete_prefix.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import type { TaskRow } from "../model/task_row.ts";

/** Returns the votes about a task, the oldest first. */
export async function readVotes(kv: Store, projectId: number, taskId: number): Promise<Vote[]> {
  const rows = kv.list<Vote>({ prefix: rowKeys.taskVotes(projectId, taskId) });
  const votes = await Array.fromAsync(rows, ({ value }) => value);
  return votes.sort((a, b) => Date.parse(a.created) - Date.parse(b.created));
}

/** Deletes the votes about tasks of a project. Tasks without an approval have none. */
export const deleteVotes = (
  kv: Store,
  tasks: readonly Pick<TaskRow, "id" | "project_id" | "approval">[],
): Promise<void> =>
  deleteFound(
    kv,
    tasks.filter(({ approval }) => approval)
      .map(({ id, project_id }) => ({ prefix: rowKeys.taskVotes(project_id, id) })),
  );
