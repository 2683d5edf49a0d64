import {
  type AccountScope,
  openAccount,
  type ProjectScope,
  requireAdmin,
} from "../../access/scope.ts";
import { AppError } from "../../base/errors.ts";
import { createUser } from "../accounts/service.ts";
import { freeUsername } from "../identities/accounts.ts";
import { addMember } from "../team/service.ts";
import { visibleUsername } from "../users/usernames.ts";
import type { NewPersonForm } from "./schema.ts";

/**
 * Whether `scope` may give an account to someone who has none: administrators may, where people
 * sign in with passwords. Elsewhere the sign-in provider brings them.
 */
export const mayAddPeople = ({ deps, actor }: ProjectScope): boolean =>
  actor.kind === "user" && actor.admin && deps.config.passwordSignIn;

/**
 * Creates an account without a password for someone, adds it to the project, and returns its scope,
 * for the link that sets the password. The username is the part of the address before the "@", if
 * that is free. Throws 403 for people who are not administrators, and 409 if an account has the
 * address.
 */
export async function addNewPerson(
  scope: ProjectScope<"add_people">,
  { name, email, role }: NewPersonForm,
): Promise<AccountScope> {
  const admin = requireAdmin(scope);
  if (!mayAddPeople(scope)) throw new AppError(400, "errors.no_first_link");
  const wanted = visibleUsername(email.split("@")[0]) || "user";
  const username = await freeUsername(scope.deps.kv, wanted);
  const form = { name, email, username, password: "", ...NEW_ACCOUNT };
  const user = await createUser(admin, form);
  await addMember(scope, { user_id: user.id, role });
  return openAccount(admin, user.id);
}

const NEW_ACCOUNT = { admin: false, external: false, alert: false, notify_own: [] };
