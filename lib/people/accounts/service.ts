import type { AccountScope, AdminScope, UserScope } from "../../access/scope.ts";
import { accessChanged } from "../../access/changed.ts";
import { grants, mayCreateProjects } from "../../access/permissions.ts";
import { readMask } from "../../access/roles.ts";
import type { Deps } from "../../access/deps.ts";
import { AppError, forbidden } from "../../base/errors.ts";
import { type Expected, membersOf, requireVersion, versioned } from "../../base/version.ts";
import { confirmOwner } from "../throttling/confirm_password.ts";
import { recordChange } from "../../events/record_change.ts";
import { nextId } from "../../store/ids.ts";
import { transact } from "../../store/transact.ts";
import type { Store } from "../../store/store.ts";
import { getUserEntry, getUserRow, getUsers, listUserRows } from "../../model/accounts.ts";
import { insertUser, replaceUser } from "../users/repository.ts";
import type {
  CurrentUserView,
  ListedUser,
  PasswordForm,
  TimezoneForm,
  UserChangeForm,
  UserForm,
  UserView,
} from "../users/schema.ts";
import type { UserRow } from "../../model/account_row.ts";
import { endAccess, newHash, newOwnHash, protectOwnKeys } from "./passwords.ts";
import { newUsername } from "../users/usernames.ts";
import type { UserActor } from "../../access/actor.ts";
import { requireFullToken } from "../../access/credentials.ts";
import { getMember, listMemberRows, listProjectIds } from "../../access/members.ts";

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
    notify_own: form.notify_own ?? [],
    username: newUsername(form.username),
    id: await nextId(deps.kv, "users"),
    created: deps.clock.now().toISOString(),
    // Without a password, no one can sign in until one is set.
    password: form.external || password === "" ? encoded : await deps.passwords.hash(password),
  };
  await transact(deps.kv, async (op) => {
    await insertUser(deps.kv, op, row);
    const event = { ...eventOf(row), action: "created" };
    await recordChange(op, deps, actor, event, { before: null, after: row });
  });
  return userView(row);
}

/**
 * Changes an account. Admins may change any, and people their own except for the admin switch.
 * Throws 412 if the stored row is not `expected`.
 */
export const updateUser = (
  scope: AccountScope<AccountDeps>,
  form: UserChangeForm,
  expected?: Expected,
): Promise<void> => changeUser(scope, () => form, (row) => requireVersion(row, expected));

/**
 * Changes some members of an account, which have a form of their own. Throws 412 if the stored ones
 * are not `expected`, whatever others have become.
 */
export const updateMembers = <Member extends OwnMember>(
  scope: AccountScope<AccountDeps>,
  members: readonly Member[],
  form: Pick<UserChangeForm, Member> & Partial<UserChangeForm>,
  expected?: Expected,
): Promise<void> =>
  changeUser(
    scope,
    ({ name, username, email, alert, notify_own }) => ({
      ...{ name, username, email, alert, notify_own, password: "" },
      ...form,
    }),
    (row) => requireVersion(membersOf(row, members), expected),
  );

/** Members of an account that people change in forms of their own. */
type OwnMember = "name" | "username" | "email" | "alert" | "notify_own";

/** Changes an account. `formOf` and `check` get the stored row, also in the commit. */
async function changeUser(
  { deps, actor, userId: id }: AccountScope<AccountDeps>,
  formOf: (row: UserRow) => UserChangeForm,
  check: (row: UserRow) => void,
): Promise<void> {
  // Checked first, so that no password is required if someone else changed the account in the
  // meantime.
  const before = await getUserRow(deps.kv, id);
  check(before);
  const given = formOf(before);
  const encoded = actor.id === id
    ? await newOwnHash(deps, actor, given)
    : await newHash(deps, id, given.password);
  await transact(deps.kv, async (op) => {
    const entry = await getUserEntry(deps.kv, id);
    const form = formOf(entry.value);
    if (actor.id !== id) refuseAdmins(actor, entry.value, { admin: form.admin ?? false });
    check(entry.value);
    refuseChange(entry.value, form);
    const row: UserRow = {
      ...entry.value,
      name: form.name,
      username: newUsername(form.username),
      email: form.email,
      admin: adminAfter(actor, entry.value, form),
      alert: form.alert,
      notify_own: form.notify_own ?? entry.value.notify_own,
      password: encoded ?? entry.value.password,
    };
    await replaceUser(deps.kv, op, entry, row);
    if (encoded !== null) await protectOwnKeys(deps.kv, op, actor, id);
    const event = { ...eventOf(row), action: "updated" };
    await recordChange(op, deps, actor, event, { before: entry.value, after: row });
  });
  if (encoded !== null) await endAccess(deps, actor, id, given.revoke_tokens);
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
    const after = { ...entry.value, password };
    op.check(entry).set(entry.key, after);
    await protectOwnKeys(deps.kv, op, actor, id);
    const event = { ...eventOf(after), action: "password_changed" };
    await recordChange(op, deps, actor, event, { before: entry.value, after });
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

/** Names each member, so that nothing else of a row is ever answered. */
function userView(row: UserRow): UserView {
  const { id, created, username, name, email, admin, external, alert, notify_own } = row;
  const view = { id, created, username, name, email, admin, external, alert, notify_own };
  return versioned(view, row);
}

/**
 * Returns the admin switch after a change. Throws 403 for a change by someone who is not an admin,
 * or of one's own. A missing value keeps one's own switch, and clears that of another account.
 */
function adminAfter(actor: UserActor, before: UserRow, { admin }: UserChangeForm): boolean {
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
function refuseChange(before: UserRow, form: UserChangeForm) {
  if (!before.external) return;
  const isProviders = form.username !== before.username || form.email !== before.email ||
    form.password !== "";
  if (isProviders) throw new AppError(400, "errors.external_user");
}

/**
 * Returns the accounts that someone who is not an admin may know of: all accounts if they may add
 * members to a project, else those of people they share a project with.
 */
async function visibleUsers(kv: Store, userId: number): Promise<UserRow[]> {
  const projectIds = await listProjectIds(kv, userId);
  return await managesUsers(kv, userId, projectIds)
    ? await listUserRows(kv)
    : await teammates(kv, userId, projectIds);
}

async function managesUsers(
  kv: Store,
  userId: number,
  projectIds: number[],
): Promise<boolean> {
  for (const projectId of projectIds) {
    const { value } = await getMember(kv, projectId, userId);
    if (value && grants(await readMask(kv, projectId, value.role), "add_people")) return true;
  }
  return false;
}

async function teammates(
  kv: Store,
  userId: number,
  projectIds: number[],
): Promise<UserRow[]> {
  const ids = new Set([userId]);
  for (const projectId of projectIds) {
    for (const { user_id } of await listMemberRows(kv, projectId)) ids.add(user_id);
  }
  return [...(await getUsers(kv, [...ids].toSorted((a, b) => a - b))).values()];
}
