import type { Deps } from "../access/deps.ts";
import { getMember, listMemberRows } from "../access/members.ts";
import { grants, permissionsOf } from "../access/permissions.ts";
import type { MemberRow, ProjectRow } from "../model/project_row.ts";
import { catalogs, type Language } from "../i18n/catalogs.ts";
import type { OwnEvent, UserRow } from "../model/account_row.ts";
import { findUser, getUsers } from "../model/accounts.ts";
import { listAdminIds } from "../people/users/repository.ts";
import { isOneAddress } from "../people/users/schema.ts";
import type { Store } from "../store/store.ts";
import type { WaitingApproval } from "./message.ts";
import type { TargetRow } from "./targets/rows.ts";
import { partsOf } from "./targets/settings.ts";

/** A person or a chat that a target reaches. */
export interface Recipient {
  /** Mail address, or chat of the Telegram bot of the settings; empty for other targets. */
  to: string;
  language: Language;
}

/** Language for chats, whose readers may have no account here. It is that of the API. */
export const CHAT_LANGUAGE: Language = "en";
/** Maximum number of mails for one alert. */
const MAILS_MAX = 200;

/** The message whose recipients are asked for. */
interface Sent {
  /** Null if a rule of the server sends it. Its mails go to administrators then. */
  project: ProjectRow | null;
  /** People who are asked for votes, if it does that. */
  voters?: WaitingApproval["voters"];
}

/** Returns the recipients of a message to a target, in the order of their addresses. */
export async function recipientsOf(
  { kv, config }: Pick<Deps, "kv" | "config">,
  target: TargetRow,
  sent: Sent,
): Promise<Recipient[]> {
  const { kind, language } = target;
  if (kind === "members") return inOrder((await membersFor(kv, sent)).map(recipientOf));
  if (kind === "email") {
    const { addresses, roles } = target.settings;
    const people = await peopleWith(kv, target.project_id, partsOf(roles));
    const all = [...partsOf(addresses), ...people.map(({ email }) => email)];
    return inOrder(all.map((to) => ({ to, language })));
  }
  if (target.id > 0 || kind !== "telegram") return [{ to: "", language }];
  const chat = chatOf(config.alerts, sent.project);
  return chat ? [{ to: chat, language }] : [];
}

/** Returns the chat of the Telegram bot of the settings for a project, or for the server. */
export const chatOf = (
  { telegramChat }: Deps["config"]["alerts"],
  project: Pick<ProjectRow, "alert_chat"> | null,
): string | null => project?.alert_chat || telegramChat;

/** Returns the first recipients, each once. */
function inOrder(all: Recipient[]): Recipient[] {
  const first = new Map(all.slice(0, MAILS_MAX).map((one) => [one.to, one]));
  return [...first.values()].sort((a, b) => a.to < b.to ? -1 : 1);
}

const recipientOf = (user: UserRow): Recipient => ({ to: user.email, language: languageOf(user) });

/** Returns the members of a project who want alerts, or those who may vote; or administrators. */
async function membersFor(kv: Store, { project, voters }: Sent): Promise<UserRow[]> {
  if (!project) return await wanting(kv, await listAdminIds(kv, MAILS_MAX));
  const members = await listMemberRows(kv, project.id);
  return await wanting(kv, members.filter((one) => !voters || mayVote(one, voters)).map(idOf));
}

const idOf = ({ user_id }: MemberRow): number => user_id;

function mayVote(
  { user_id, role }: MemberRow,
  { roles, user_ids, except }: WaitingApproval["voters"],
): boolean {
  if (user_id === except) return false;
  const isOpen = roles.length === 0 && user_ids.length === 0;
  return isOpen
    ? grants(permissionsOf(role), "run_tasks")
    : roles.includes(role) || user_ids.includes(user_id);
}

/** Returns people with these roles who want alerts; on the server, administrators. */
async function peopleWith(kv: Store, place: number, roles: string[]): Promise<UserRow[]> {
  if (roles.length === 0) return [];
  if (place === 0) return await wanting(kv, await listAdminIds(kv, MAILS_MAX));
  const members = await listMemberRows(kv, place);
  return await wanting(kv, members.filter(({ role }) => roles.includes(role)).map(idOf));
}

async function wanting(kv: Store, ids: number[]): Promise<UserRow[]> {
  const users = [...(await getUsers(kv, ids)).values()];
  return users.filter(({ alert, email }) => alert && isOneAddress(email));
}

/** Returns the owner of a task or a run if they can see the project and want mails about this. */
export async function ownerWhoWants(
  kv: Store,
  { id }: ProjectRow,
  { user_id, event }: { user_id: number; event: OwnEvent },
): Promise<UserRow | null> {
  const user = (await findUser(kv, user_id))?.value;
  if (!user?.notify_own.includes(event) || !isOneAddress(user.email)) return null;
  return user.admin || (await getMember(kv, id, user_id)).value ? user : null;
}

/** Returns the language in which messages to a person are written. */
export const languageOf = ({ language = "" }: Pick<UserRow, "language">): Language =>
  catalogs.has(language) ? language : CHAT_LANGUAGE;
