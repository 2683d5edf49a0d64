import { rowKeys } from "../kv/keys.ts";
import type { TaskRow } from "../tasks/schema.ts";

/** A task that has ended, and whose hosts are still to be remembered. */
export interface HostsDueRow {
  project_id: number;
  /** The run's hosts up to this number are remembered. */
  after: number;
}

/**
 * Adds to `op` that a task has ended: what it did on its hosts is remembered afterwards, a few hosts a
 * commit, also when the server dies in between.
 */
export function queueHosts(
  op: Deno.AtomicOperation,
  { id, project_id }: Pick<TaskRow, "id" | "project_id">,
): void {
  const row: HostsDueRow = { project_id, after: 0 };
  op.set(rowKeys.hostsDueOf(id), row).set(rowKeys.hostsWake(), id);
}
