import { previewOf } from "../output/run_id.ts";
import { listChanges } from "./change_store.ts";
import { findHead, listPlayTasks } from "./result_store.ts";
import type { HostRow } from "./rows.ts";

/** Whether the real execution would change a host, according to its row in check mode. */
export const wouldChange = (
  { changed, carried_out = 0 }: Pick<HostRow, "changed" | "carried_out">,
) => changed > carried_out;

/**
 * Whether a task's preview proves that the real execution would change nothing. All results must be
 * stored, without changes, failures, tasks that check mode skipped, or conditions on check mode.
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
