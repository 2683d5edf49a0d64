import { invalidField } from "../../base/errors.ts";
import { type AccessRule, RULED_ACTIONS, type RuledAction } from "../../model/access_rule.ts";
import { getAll } from "../../store/rows/get_all.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import { isNamedBy, isNarrowed, type Viewer } from "../sight.ts";
import { isRoleOf } from "./roles.ts";

/** Actions without which people could not take their own rule back. */
const NEEDED = ["visible_to", "edit_by"] as const;

/**
 * Throws 400 for a rule that names a role or a person that the project does not have, unless the
 * stored rule names them already, and for one that would lock out the person who sets it.
 */
export async function requireUsableRule(
  viewer: Viewer,
  rule: AccessRule,
  stored: AccessRule,
): Promise<void> {
  for (const action of RULED_ACTIONS) {
    await requireKnownNames(viewer, action, rule, stored);
  }
  if (!isNarrowed(viewer)) return;
  const locked = NEEDED.find((action) => !isNamedBy(rule[action], viewer));
  if (locked) throw invalidField(`${locked}.roles`, `errors.access.locked_out.${locked}`);
}

async function requireKnownNames(
  { deps: { kv }, projectId }: Viewer,
  action: RuledAction,
  rule: AccessRule,
  stored: AccessRule,
): Promise<void> {
  const { roles = [], user_ids = [] } = rule[action] ?? {};
  for (const role of roles) {
    if (stored[action]?.roles.includes(role) || await isRoleOf(kv, projectId, role)) continue;
    throw invalidField(`${action}.roles`, "errors.access.unknown_role", { role });
  }
  const added = user_ids.filter((id) => !stored[action]?.user_ids.includes(id));
  const [id] = await withoutMembership(kv, projectId, added);
  if (id) throw invalidField(`${action}.user_ids`, "errors.access.not_a_member", { id });
}

/** Returns those of these accounts that are not members of the project. */
async function withoutMembership(kv: Store, projectId: number, ids: number[]): Promise<number[]> {
  const members = await getAll(kv, ids.map((id) => rowKeys.member(projectId, id)));
  return ids.filter((_, n) => members[n].value === null);
}
