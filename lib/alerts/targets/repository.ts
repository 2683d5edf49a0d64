import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import type { TargetRow } from "./rows.ts";

/** Returns the targets of a project, or of the server for 0, by id. */
export const listTargetRows = (kv: Store, place: number): Promise<TargetRow[]> =>
  Array.fromAsync(
    kv.list<TargetRow>({ prefix: rowKeys.alertTargets(place) }),
    ({ value }) => value,
  );

/** Adds the deletion of a target with its log to `op`. */
export async function removeTarget(
  kv: Store,
  op: Atomic,
  { project_id, id }: TargetRow,
): Promise<void> {
  op.delete(rowKeys.alertTarget(project_id, id));
  for await (const { key } of kv.list({ prefix: rowKeys.alertDeliveries(project_id, id) })) {
    op.delete(key);
  }
}
