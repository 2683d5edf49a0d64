import { AppError } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { transact } from "../../kv/transact.ts";
import { byThemselves } from "../identities/accounts.ts";
import { getUserEntry, replaceUser } from "../users/repository.ts";
import { type Grantee, NOTHING, type RuleDeps } from "./grantee.ts";
import { recordKept } from "./kept.ts";
import { getGrants, otherGrants, setGrants } from "./repository.ts";

/**
 * Grants the admin switch, or revokes it if rules had granted it. Admins who were made by hand stay
 * admins, and so does the last one. Returns whether anything changed.
 */
export async function grantAdmin(
  deps: RuleDeps,
  { userId, provider }: Grantee,
  admin: boolean,
): Promise<boolean> {
  const { kv } = deps;
  const change = () =>
    transact(kv, async (op) => {
      const [user, grants] = [
        await getUserEntry(kv, userId),
        await getGrants(kv, userId, provider),
      ];
      const before = grants.value ?? NOTHING;
      const others = await otherGrants(kv, userId, provider);
      const given = before.admin || others.some((other) => other.admin);
      const after = admin || (user.value.admin && (!before.admin || others.some((o) => o.admin)));
      const isByRule = admin && (given || !user.value.admin);
      if (isByRule !== before.admin) setGrants(op, grants, { ...before, admin: isByRule });
      if (after === user.value.admin) return false;
      await replaceUser(kv, op, user, { ...user.value, admin: after });
      const { username: name } = user.value;
      const action = after ? "admin_by_rule" : "no_admin_by_rule";
      const event = { projectId: 0, object: "user", id: userId, name, action } as const;
      recordEvent(op, deps, byThemselves(user.value), { ...event, params: { provider } });
      return true;
    });
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof AppError && error.key === "errors.last_admin")) throw error;
    deps.log("warn", "rule_not_followed", { user: userId, why: error.key });
    await recordKept(deps, { userId, provider }, "last_admin_kept");
    return false;
  }
}
