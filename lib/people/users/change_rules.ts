import type { UserActor } from "../../access/actor.ts";
import { requireFullToken } from "../../access/credentials.ts";
import { AppError, forbidden } from "../../base/errors.ts";
import type { UserChangeForm, UserRow } from "./schema.ts";

/** Nobody gives or takes their own admin rights; not sent, they are kept of oneself alone. */
export function adminAfter(actor: UserActor, before: UserRow, { admin }: UserChangeForm): boolean {
  const isOwn = actor.id === before.id;
  const after = admin ?? (isOwn && before.admin);
  if (after === before.admin) return after;
  if (!actor.admin) throw forbidden();
  if (isOwn) throw new AppError(403, "errors.own_admin");
  return after;
}

/**
 * Throws 403 where an API token that may not make others would make an admin, or change what signs
 * one in: through such an account it would come to more than it was given.
 */
export function refuseAdmins(actor: UserActor, ...accounts: Pick<UserRow, "admin">[]): void {
  if (accounts.some(({ admin }) => admin)) requireFullToken(actor, "errors.token_no_admins");
}

/** Throws 400 for what the sign-in provider of an external account says. */
export function refuseChange(before: UserRow, form: UserChangeForm) {
  if (!before.external) return;
  const isProviders = form.username !== before.username || form.email !== before.email ||
    form.password !== "";
  if (isProviders) throw new AppError(400, "errors.external_user");
}
