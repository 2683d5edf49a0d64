import { previewOf } from "../output/run_id.ts";
import { listChanges } from "./change_store.ts";
import { findHead, listPlayTasks } from "./result_store.ts";

/**
 * Whether a task's preview leaves no doubt that carrying it out would change nothing: nothing would
 * change, nothing was left out or went wrong, and all that was told is there.
 */
export async function wouldSurelyChangeNothing(kv: Deno.Kv, taskId: number): Promise<boolean> {
  const run = previewOf(taskId);
  const [head, changes, tasks] = await Promise.all([
    findHead(kv, run),
    listChanges(kv, run, { after: null, limit: 1 }),
    listPlayTasks(kv, run),
  ]);
  if (!head?.complete || head.lost > 0 || changes.length > 0) return false;
  const { failed, unreachable, rescued, ignored } = head.counts;
  return !failed && !unreachable && !rescued && !ignored &&
    tasks.every(({ unchecked }) => !unchecked);
}
