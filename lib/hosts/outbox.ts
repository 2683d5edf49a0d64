import { rowKeys } from "../store/keys.ts";
import type { Atomic } from "../store/store.ts";
import type { TaskRow } from "../tasks/schema.ts";

/** A finished task whose hosts are still to be stored. */
export interface HostsDueRow {
  project_id: number;
  /** The task's hosts up to this number are stored. */
  after: number;
}

/**
 * Adds a finished task to the queue in `op`. Its hosts are stored later, a few per commit, even if
 * the server dies in between.
 */
export function queueHosts(
  op: Atomic,
  { id, project_id }: Pick<TaskRow, "id" | "project_id">,
): void {
  const row: HostsDueRow = { project_id, after: 0 };
  op.set(rowKeys.hostsDueOf(id), row).set(rowKeys.hostsWake(), id);
}
