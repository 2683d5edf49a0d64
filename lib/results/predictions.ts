import { previewOf } from "../output/run_id.ts";
import { listChanges } from "./change_store.ts";
import { findHead, listPlayTasks } from "./result_store.ts";
import type { HostRow } from "./rows.ts";

/** Whether carrying out what a run in check mode has come to would change a host. */
export const wouldChange = (
  { changed, carried_out = 0 }: Pick<HostRow, "changed" | "carried_out">,
) => changed > carried_out;

/**
 * Whether a task's preview leaves no doubt that carrying it out would change nothing: nothing would
 * change or has been changed, nothing was left out, went wrong or can depend on check mode, and all
 * that was told is there.
 */
export async function wouldSurelyChangeNothing(kv: Deno.Kv, taskId: number): Promise<boolean> {
  const run = previewOf(taskId);
  const [head, changes, tasks] = await Promise.all([
    findHead(kv, run),
    listChanges(kv, run, { after: null, limit: 1 }),
    listPlayTasks(kv, run),
  ]);
  if (!head?.complete || head.lost > 0 || changes.length > 0) return false;
  if (head.check_mode?.length !== 0) return false;
  const { failed, unreachable, rescued, ignored } = head.counts;
  return !failed && !unreachable && !rescued && !ignored &&
    tasks.every(({ unchecked }) => !unchecked);
}
