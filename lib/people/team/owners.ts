import { AppError } from "../../base/errors.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { listMemberRows } from "../../access/members.ts";

/** Step by which someone stops being an owner. */
type Step = "takes another role" | "is removed" | "leaves";

/**
 * Enforces the rule for owners, for every owner and every actor. A project keeps at least one, and
 * an owner cannot leave, but takes another role first. Adds to `op` that `userId` is no longer an
 * owner, or throws 400.
 */
export async function releaseOwner(
  kv: Store,
  op: Atomic,
  projectId: number,
  userId: number,
  step: Step,
): Promise<void> {
  const guard = await kv.get(rowKeys.ownersGuard(projectId)); // before the list, never after
  const members = await listMemberRows(kv, projectId);
  const remain = members.some(({ role, user_id }) => role === "owner" && user_id !== userId);
  if (!remain) throw new AppError(400, "errors.last_owner");
  if (step === "leaves") throw new AppError(400, "errors.owner_leaves");
  op.check(guard).set(guard.key, userId);
}
