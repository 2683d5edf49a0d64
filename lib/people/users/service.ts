import type { AccountScope, AdminScope, UserScope } from "../../access/scope.ts";
import { accessChanged } from "../../access/changed.ts";
import { mayCreateProjects } from "../../access/permissions.ts";
import type { Deps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import { type Expected, requireVersion, versioned } from "../../base/version.ts";
import { adminAfter, refuseAdmins, refuseChange } from "./change_rules.ts";
import { confirmOwner } from "./confirm_password.ts";
import { recordEvent } from "../../events/record.ts";
import { nextId } from "../../kv/ids.ts";
import { transact } from "../../kv/transact.ts";
import { getUserEntry, getUserRow, insertUser } from "./repository.ts";
import { listUserRows, replaceUser } from "./repository.ts";
import type { CurrentUserView, ListedUser, PasswordForm, UserChangeForm } from "./schema.ts";
import type { TimezoneForm, UserForm, UserRow, UserView } from "./schema.ts";
import { endAccess, newHash, newOwnHash } from "./passwords.ts";
import { newUsername } from "./usernames.ts";
import { visibleUsers } from "./visible.ts";

/** Dependencies for changing accounts. Scripts have no others. */
export type AccountDeps = Pick<Deps, "kv" | "clock" | "hub" | "passwords">;

export async function getCurrentUser({ deps, actor }: UserScope): Promise<CurrentUserView> {
  const user = await getUserRow(deps.kv, actor.id);
  return { ...userView(user), can_create_project: mayCreateProjects(deps.config, actor) };
}

/** Returns all accounts for admins. Others get the names of the people whom they may know of. */
export async function listUsers({ deps: { kv }, actor }: UserScope): Promise<ListedUser[]> {
  if (actor.admin) return (await listUserRows(kv)).map(userView);
  const rows = await visibleUsers(kv, actor.id);
  return rows.map(({ id, username, name }) => ({ id, username, name }));
}

/** Returns one account, for admins and its owner. */
export async function getUser({ deps, userId: id }: AccountScope): Promise<UserView> {
  return userView(await getUserRow(deps.kv, id));
}

/**
 * Stores a new account. Throws 409 if someone has its username or e-mail address. `encoded` is the
 * hash of its password, if only the hash is known.
 */
export async function createUser(
  { deps, actor }: AdminScope<AccountDeps>,
  form: UserForm,
  encoded: string | null = null,
): Promise<UserView> {
  refuseAdmins(actor, form);
  const { password, ...rest } = form;
  const row: UserRow = {
    ...rest,
    username: newUsername(form.username),
    id: await nextId(deps.kv, "users"),
    created: deps.clock.now().toISOString(),
    // Without a password, no one can sign in until one is set.
    password: form.external || password === "" ? encoded : await deps.passwords.hash(password),
  };
  await transact(deps.kv, async (op) => {
    await insertUser(deps.kv, op, row);
    recordEvent(op, deps, actor, { ...eventOf(row), action: "created" });
  });
  return userView(row);
}

/**
 * Changes an account. Admins may change any, and people their own except for the admin switch.
 * Throws 412 if the stored row is not `expected`.
 */
export async function updateUser(
  { deps, actor, userId: id }: AccountScope<AccountDeps>,
  form: UserChangeForm,
  expected?: Expected,
): Promise<void> {
  // Checked first, so that no password is required if someone else changed the account in the
  // meantime.
  requireVersion(await getUserRow(deps.kv, id), expected);
  const encoded = actor.id === id
    ? await newOwnHash(deps, actor, form)
    : await newHash(deps, id, form.password);
  await transact(deps.kv, async (op) => {
    const entry = await getUserEntry(deps.kv, id);
    if (actor.id !== id) refuseAdmins(actor, entry.value, { admin: form.admin ?? false });
    requireVersion(entry.value, expected);
    refuseChange(entry.value, form);
    const row: UserRow = {
      ...entry.value,
      name: form.name,
      // A username from before the rules may stay.
      username: form.username === entry.value.username ? form.username : newUsername(form.username),
      email: form.email,
      admin: adminAfter(actor, entry.value, form),
      alert: form.alert,
      password: encoded ?? entry.value.password,
    };
    await replaceUser(deps.kv, op, entry, row);
    recordEvent(op, deps, actor, { ...eventOf(row), action: "updated" });
  });
  if (encoded !== null) await endAccess(deps, actor, id, form.revoke_tokens);
  await accessChanged(deps, { project_id: null, user_id: id });
}

/**
 * Sets a new password, and ends the access that the old one gave: see `endAccess`. One's own
 * requires a session and the current password.
 */
export async function changePassword(
  { deps, actor, userId: id }: AccountScope<AccountDeps>,
  form: PasswordForm,
): Promise<void> {
  const before = await getUserRow(deps.kv, id);
  if (before.external) throw new AppError(400, "errors.external_user");
  if (actor.id !== id) refuseAdmins(actor, before);
  else await confirmOwner(deps, actor, form);
  const password = await deps.passwords.hash(form.password);
  await transact(deps.kv, async (op) => {
    const entry = await getUserEntry(deps.kv, id);
    op.check(entry).set(entry.key, { ...entry.value, password });
    recordEvent(op, deps, actor, { ...eventOf(entry.value), action: "password_changed" });
  });
  await endAccess(deps, actor, id, form.revoke_tokens);
  await accessChanged(deps, { project_id: null, user_id: id });
}

/**
 * Sets the time zone of the times on the account's pages. It matters only for pages, so there is no
 * event and no API.
 */
export async function chooseTimezone(
  { deps, userId: id }: AccountScope<AccountDeps>,
  { timezone }: TimezoneForm,
): Promise<void> {
  await transact(deps.kv, async (op) => {
    const entry = await getUserEntry(deps.kv, id);
    op.check(entry).set(entry.key, { ...entry.value, timezone });
  });
}

/** Sets the language of the account's pages and mails; "" is the browser's. */
export async function chooseLanguage(
  { deps, userId: id }: AccountScope<AccountDeps>,
  language: string,
): Promise<void> {
  await transact(deps.kv, async (op) => {
    const entry = await getUserEntry(deps.kv, id);
    op.check(entry).set(entry.key, { ...entry.value, language });
  });
}

const eventOf = ({ id, username }: UserRow) =>
  ({ projectId: 0, object: "user", id, name: username }) as const;

function userView(row: UserRow): UserView {
  const { password: _, timezone: __, language: ___, second_factor: ____, ...view } = row;
  return versioned(view, row);
}
