import { previewOf } from "../output/run_id.ts";
import { findHead, listPlayTasks } from "../results/result_store.ts";
import { severityOf, worstOf } from "../results/statuses.ts";
import { listChanges } from "../results/changes.ts";
import type { Store } from "../store/store.ts";

/** Maximum number of hosts that are named for a change. */
const NAMED_MAX = 100;
const { compare } = new Intl.Collator("en", { numeric: true });

/** Returns the first names, and the number of further ones. */
export const someHosts = (names: string[], more = 0): { hosts: string[]; more: number } => ({
  hosts: names.toSorted(compare).slice(0, NAMED_MAX),
  more: more + Math.max(0, names.length - NAMED_MAX),
});

/**
 * Whether a task's preview proves that the real execution would change nothing. All results must be
 * stored, without changes, failures, tasks that check mode skipped, or conditions on check mode.
 */
export async function isCertainNoOp(kv: Store, taskId: number): Promise<boolean> {
  const run = previewOf(taskId);
  const [head, changes, tasks] = await Promise.all([
    findHead(kv, run),
    listChanges(kv, run, { after: null, limit: 1 }),
    listPlayTasks(kv, run),
  ]);
  if (!head?.complete || head.lost > 0 || changes.length > 0) return false;
  if (head.check_mode?.length !== 0) return false;
  return severityOf(worstOf([head.counts]) ?? "ok") >= severityOf("changed") &&
    tasks.every(({ unchecked }) => !unchecked);
}
