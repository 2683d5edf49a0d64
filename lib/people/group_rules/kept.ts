import { recordEvent } from "../../events/record.ts";
import { byThemselves } from "../identities/accounts.ts";
import { findUser } from "../users/repository.ts";
import type { Grantee, RuleDeps } from "./grantee.ts";

/**
 * Records for admins, and for the project's members, that someone keeps a right that no rule grants
 * any more.
 */
export async function recordKept(
  { kv, clock }: Pick<RuleDeps, "kv" | "clock">,
  { userId, provider }: Grantee,
  action: "last_admin_kept" | "last_owner_kept",
  projectId = 0,
): Promise<void> {
  const user = await findUser(kv, userId);
  if (!user) return;
  const op = kv.atomic();
  recordEvent(op, { clock }, byThemselves(user.value), {
    projectId,
    object: projectId === 0 ? "user" : "member",
    id: userId,
    name: user.value.username,
    action,
    params: { provider },
  });
  await op.commit();
}
