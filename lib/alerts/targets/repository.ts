import type { Deps } from "../../access/deps.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import type { TargetRow } from "./rows.ts";
import { settingsTarget } from "./settings_targets.ts";

/** Returns the stored targets of a project, or of the server for 0, by id. */
export const listTargetRows = (kv: Store, place: number): Promise<TargetRow[]> =>
  Array.fromAsync(
    kv.list<TargetRow>({ prefix: rowKeys.alertTargets(place) }),
    ({ value }) => value,
  );

/** Returns the target that a rule of a project, or of the server for 0, names; null without one. */
export const findAlertTarget = async (
  { kv, config }: Pick<Deps, "kv" | "config">,
  place: number,
  id: number,
): Promise<TargetRow | null> =>
  id < 0
    ? settingsTarget(config, id)
    : (await kv.get<TargetRow>(rowKeys.alertTarget(place, id))).value;

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
