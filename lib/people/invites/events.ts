import type { Actor } from "../../access/actor.ts";
import type { Deps } from "../../access/deps.ts";
import { recordChange } from "../../events/record_change.ts";
import { findUser } from "../../model/accounts.ts";
import type { Atomic } from "../../store/store.ts";
import { isFixedRole } from "../../model/roles.ts";
import type { InviteRow } from "./repository.ts";

type Action = "invited" | "renewed" | "accepted" | "declined" | "withdrawn";

/** Adds the event of an invitation to `op`, with its role, status and end before and after. */
export async function recordInvite(
  op: Atomic,
  deps: Pick<Deps, "kv" | "clock">,
  actor: Actor,
  action: Action,
  { before, after }: { before: InviteRow | null; after: InviteRow | null },
): Promise<void> {
  const { project_id, id, email, user_id, role } = (after ?? before)!;
  const name = email === null
    ? (await findUser(deps.kv, user_id ?? 0))?.value.username ?? String(user_id)
    : shortened(email);
  const event = { projectId: project_id, object: "invite", id, name, action } as const;
  const states = { before: shownOf(before), after: shownOf(after) };
  const named = isFixedRole(role) ? { key: `roles.${role}` } : role;
  await recordChange(op, deps, actor, { ...event, params: { role: named } }, states);
}

const shownOf = (row: InviteRow | null) =>
  row && { role: row.role, status: row.status, expires_at: row.expires_at };

/**
 * Returns an address as all members may read it. Only people who manage users see whole addresses,
 * and every member reads the events of a project.
 */
function shortened(email: string): string {
  const at = email.lastIndexOf("@");
  return `${[...email.slice(0, at)][0] ?? ""}…${email.slice(at)}`;
}
