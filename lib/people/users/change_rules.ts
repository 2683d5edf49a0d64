import type { UserActor } from "../../access/actor.ts";
import { requireFullToken } from "../../access/credentials.ts";
import { AppError, forbidden } from "../../base/errors.ts";
import type { UserChangeForm, UserRow } from "./schema.ts";

/**
 * Returns the admin switch after a change. Throws 403 for a change by someone who is not an admin,
 * or of one's own. A missing value keeps one's own switch, and clears that of another account.
 */
export function adminAfter(actor: UserActor, before: UserRow, { admin }: UserChangeForm): boolean {
  const isOwn = actor.id === before.id;
  const after = admin ?? (isOwn && before.admin);
  if (after === before.admin) return after;
  if (!actor.admin) throw forbidden();
  if (isOwn) throw new AppError(403, "errors.own_admin");
  return after;
}

/**
 * Throws 403 if an API token that may not create others would create an admin, or change how one
 * signs in. Through such an account it would gain more than it was given.
 */
export function refuseAdmins(actor: UserActor, ...accounts: Pick<UserRow, "admin">[]): void {
  if (accounts.some(({ admin }) => admin)) requireFullToken(actor, "errors.token_no_admins");
}

/** Throws 400 for changes of what the sign-in provider of an external account decides. */
export function refuseChange(before: UserRow, form: UserChangeForm) {
  if (!before.external) return;
  const isProviders = form.username !== before.username || form.email !== before.email ||
    form.password !== "";
  if (isProviders) throw new AppError(400, "errors.external_user");
}
