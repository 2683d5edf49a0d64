import type { Deps } from "./deps.ts";
import { rowKeys } from "../store/keys.ts";
import type { LiveMessage } from "../base/hub.ts";
import type { AccessRule } from "../model/access_rule.ts";

type Change = Omit<Extract<LiveMessage, { type: "access" }>, "type">;

/** Notifies sockets, here and on other servers, to check again what they may show. */
export async function accessChanged(
  { kv, hub }: Pick<Deps, "kv" | "hub">,
  change: Change,
): Promise<void> {
  hub.publish({ type: "access", ...change });
  await kv.set(rowKeys.accessWake(), crypto.randomUUID());
}

/** The members of an object that decide who sees it. */
interface Ruled extends AccessRule {
  /** The view of a template, whose rule holds for it. */
  view_id?: number | null;
}

const ruleOf = ({ visible_to, run_by, edit_by, view_id }: Ruled) =>
  JSON.stringify([visible_to ?? null, run_by ?? null, edit_by ?? null, view_id ?? null]);

/** Notifies the same after a change of an object, if that may have changed who sees it. */
export async function ruleChanged(
  deps: Pick<Deps, "kv" | "hub">,
  project_id: number,
  before: Ruled,
  after: Ruled,
): Promise<void> {
  if (ruleOf(before) !== ruleOf(after)) await accessChanged(deps, { project_id, user_id: null });
}
