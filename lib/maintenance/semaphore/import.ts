import { findRole } from "../../access/roles.ts";
import { isFixedRole } from "../../model/roles.ts";
import { type AdminScope, openProject, requireCreator, type Scope } from "../../access/scope.ts";
import type { UserActor } from "../../access/actor.ts";
import { isBcrypt } from "../../access/bcrypt.ts";
import type { RestoreReport } from "../backup/schema.ts";
import { type MadeIds, type RestoreDeps, restoreProject } from "../backup/service.ts";
import type { Deps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import { parseWith } from "../../base/parse.ts";
import { sentBackup } from "../backup/schema.ts";
import { nextIds } from "../../store/ids.ts";
import { addMember } from "../../people/team/service.ts";
import { memberForm } from "../../people/team/schema.ts";
import { findUserByLogin } from "../../people/users/repository.ts";
import { userBody } from "../../people/users/schema.ts";
import { type AccountDeps, createUser } from "../../people/accounts/service.ts";
import { backupOf } from "./backup_file.ts";
import { type HistoryProgress, type HistoryReport, importHistory, newReport } from "./history.ts";
import { planHistory } from "./plan_history.ts";
import type { Source } from "./source.ts";

export type ImportDeps = RestoreDeps & AccountDeps & Pick<Deps, "hub">;

export interface ImportedProject {
  id: number | null;
  name: string;
  report: RestoreReport;
  /** Usernames of members that have no account here, or an unknown role. */
  strangers: string[];
  /** Result of importing the tasks. In a dry run, only their number. */
  history: HistoryReport;
}

interface ImportOptions {
  dryRun?: boolean;
  /** Number of latest tasks of each template to import. */
  history?: number;
  onProgress?: (progress: HistoryProgress) => void;
}

/** Accounts of the other server that have none here, by result. */
interface ImportedUsers {
  added: string[];
  /** Usernames of those who are administrators on the other server. */
  admins: string[];
  /** Usernames of those who can sign in with their old password. */
  withPassword: string[];
  /** Usernames of accounts whose name or email address is already in use, or invalid. */
  kept: string[];
}

/**
 * Creates accounts for the people of another server. Passwords are imported only from its database.
 * Otherwise people cannot sign in until one is set. An account here with the same username or email
 * address counts as the same person. Administrators of the other server become administrators here
 * only with `withAdmins`, because otherwise anyone in control of that server would control this
 * one.
 */
export async function importUsers(
  scope: AdminScope<ImportDeps>,
  source: Source,
  { withAdmins = false } = {},
): Promise<ImportedUsers> {
  const added: string[] = [];
  const admins: string[] = [];
  const withPassword: string[] = [];
  const kept: string[] = [];
  for (const user of await source.users()) {
    const { username, name, email, alert, external, admin } = user;
    try {
      const form = parseWith(userBody, {
        username,
        name: name || username,
        email,
        alert: Boolean(alert),
        external: Boolean(external),
        admin: withAdmins && Boolean(admin),
      });
      const hash = typeof user.password === "string" && isBcrypt(user.password);
      const encoded = hash && !external ? user.password as string : null;
      await createUser(scope, form, encoded);
      added.push(String(username));
      if (admin) admins.push(String(username));
      if (encoded) withPassword.push(String(username));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      kept.push(String(username));
    }
  }
  return { added, admins, withPassword, kept };
}

/** Usernames of the other server's administrators who would get a new account here. */
export async function newAdmins({ kv }: Pick<ImportDeps, "kv">, source: Source): Promise<string[]> {
  const admins: string[] = [];
  for (const { username, admin } of await source.users()) {
    const login = String(username);
    if (admin && !await findUserByLogin(kv, login.toLowerCase())) admins.push(login);
  }
  return admins;
}

/**
 * Imports one project of another server. `actor` becomes its owner, and members keep their roles.
 */
export async function importProject(
  scope: Scope<UserActor, ImportDeps>,
  source: Source,
  projectId: number,
  { dryRun = false, history: count = 0, onProgress = () => {} }: ImportOptions = {},
): Promise<ImportedProject> {
  const { deps, actor } = scope;
  const read = await source.read(projectId);
  const { file, secrets, names } = backupOf(read, await source.users());
  const plan = await planHistory(
    source,
    read,
    count,
    async (count) => dryRun || count === 0 ? [] : await nextIds(deps.kv, "tasks", count),
  );
  let made: MadeIds = { templates: new Map(), inventories: new Map() };
  const { id = null, name, report } = await restoreProject(
    requireCreator(scope),
    parseWith(sentBackup, file),
    { dryRun, secrets, onMade: (ids) => made = ids },
  );
  const strangers: string[] = [];
  for (const member of read.members) {
    if (id === null || member.username === actor.username) continue;
    if (!await join(scope, id, member)) strangers.push(member.username);
  }
  if (id === null) return { id, name, report, strangers, history: newReport(plan) };
  const context = { ...scope, source, read, names, made, projectId: id };
  const history = await importHistory(context, plan, onProgress);
  return { id, name, report, strangers, history };
}

async function join(
  scope: Scope<UserActor, ImportDeps>,
  projectId: number,
  { username, role }: { username: string; role: string },
): Promise<boolean> {
  const user = await findUserByLogin(scope.deps.kv, username.toLowerCase());
  const form = memberForm.safeParse({ role });
  if (!user || !form.success) return false;
  // A role that the other server defined is known here only if someone created it before.
  if (!isFixedRole(form.data.role) && !await findRole(scope.deps.kv, projectId, form.data.role)) {
    return false;
  }
  await addMember(await openProject(scope, projectId, "add_people"), {
    user_id: user.value.id,
    ...form.data,
  });
  return true;
}
