import { rowKeys } from "../store/keys.ts";
import type { Atomic, Store } from "../store/store.ts";
import { FULL } from "../store/rows/write_all.ts";
import type { TaskRow } from "../model/task_row.ts";
import type { DriftRow } from "../model/drift_row.ts";
import type { DriftCommit } from "./store.ts";

/** Number of states that are looked at in one commit. */
const LOOKED_AT = 100;
/** Time after which a host that is no longer reached is left out. */
const KEPT_MS = 30 * 86_400_000;

/**
 * Marks the hosts that a check has not reached although they were known, from the name after
 * `after` on. Returns the name up to which this is done; null if none is left.
 */
export async function markGone(
  kv: Store,
  op: Atomic,
  drift: DriftCommit,
  { id, project_id, template_id, end, commit_hash }: TaskRow,
  after: string,
  now: number,
): Promise<string | null> {
  const prefix = rowKeys.driftOf(project_id, template_id);
  const start = [...prefix, `${after}\0`];
  const entries = kv.list<DriftRow>({ prefix, start }, { limit: LOOKED_AT });
  const rows = await Array.fromAsync(entries, ({ value }) => value);
  const at = end === null ? now : Date.parse(end);
  for (const [n, row] of rows.entries()) {
    if (op.used > FULL) return rows[n - 1].host;
    if (row.check_id >= id) continue;
    if (row.state === "not_reached" && now - row.since > KEPT_MS) drift.put(row, null);
    else if (row.checked < at) drift.put(row, goneRow(row, id, at, commit_hash));
  }
  return rows.length < LOOKED_AT ? null : rows.at(-1)!.host;
}

const goneRow = (
  { unchecked: _unchecked, left_out: _leftOut, change_tasks: _changeTasks, ...row }: DriftRow,
  task: number,
  at: number,
  commit: string | null,
): DriftRow => ({
  ...row,
  ...row.state !== "not_reached" && { since: at, since_task: task },
  state: "not_reached",
  checked: at,
  task_id: task,
  commit,
  changes: 0,
  change_ids: [],
  partial: false,
});
