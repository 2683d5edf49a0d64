import type { Deps } from "../access/deps.ts";
import type { UserActor } from "../access/actor.ts";
import { listMemberRows } from "../access/members.ts";
import { grants } from "../access/permissions.ts";
import { readMasks } from "../access/roles.ts";
import { findMembership, type Membership, readMembership } from "../access/scope.ts";
import { type Sight, sightOf } from "../access/sight.ts";
import { rowKeys } from "../store/keys.ts";
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
  /** Whether someone sees what it is about. Others are not told. Missing for a test message. */
  isSeen?: IsSeen;
}

/** Whether a person sees what a message is about. */
export type IsSeen = (sight: Sight) => boolean;

/**
 * Returns the recipients of a message to a target, in the order of their addresses. Members get no
 * message about what they do not see. Addresses and chats get all that their rules choose.
 */
export async function recipientsOf(
  { kv, config }: Pick<Deps, "kv" | "config">,
  target: TargetRow,
  sent: Sent,
): Promise<Recipient[]> {
  const { kind, language } = target;
  if (kind === "members") return inOrder((await membersFor(kv, sent)).map(recipientOf));
  if (kind === "email") {
    const { addresses, roles } = target.settings;
    const people = await peopleWith(kv, target.project_id, partsOf(roles), sent);
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
async function membersFor(kv: Store, sent: Sent): Promise<UserRow[]> {
  const { project, voters } = sent;
  if (!project) return await wanting(kv, await listAdminIds(kv, MAILS_MAX));
  const members = await listMemberRows(kv, project.id);
  if (!voters) return await seeing(kv, members, sent);
  const maskOfSlug = await readMasks(kv, project.id, members.map(({ role }) => role));
  const may = members.filter((one) => mayVote(one, maskOfSlug(one.role), voters));
  return await seeing(kv, may, sent);
}

const idOf = ({ user_id }: MemberRow): number => user_id;

/** Returns those of the members who want alerts and see what the message is about. */
async function seeing(
  kv: Store,
  members: MemberRow[],
  { project, isSeen }: Sent,
): Promise<UserRow[]> {
  const users = await wanting(kv, members.map(idOf));
  if (!project || !isSeen) return users;
  const rows = new Map(members.map((member) => [member.user_id, member]));
  const { versionstamp } = await kv.get(rowKeys.accessRulesStamp(project.id));
  const found: UserRow[] = [];
  for (const user of users) {
    const member = rows.get(user.id) ?? null;
    const membership = await readMembership(kv, actorOf(user), project, member, versionstamp);
    if (membership && isSeen(await sightIn(kv, user, membership))) found.push(user);
  }
  return found;
}

/** Returns a person as the actor whose sight is asked for. No call is made for them. */
const actorOf = (user: UserRow): UserActor => ({
  ...{ kind: "user", id: user.id, username: user.username, name: user.name },
  ...{ admin: user.admin, external: user.external },
  credential: { kind: "session", hash: "" },
});

const sightIn = (kv: Store, user: UserRow, membership: Membership): Promise<Sight> =>
  sightOf({
    ...{ deps: { kv }, actor: actorOf(user), projectId: membership.project.id },
    ...membership,
  });

function mayVote(
  { user_id, role }: MemberRow,
  mask: number,
  { roles, user_ids, except }: WaitingApproval["voters"],
): boolean {
  if (user_id === except) return false;
  const isOpen = roles.length === 0 && user_ids.length === 0;
  return isOpen
    ? grants(mask, "approve_tasks")
    : roles.includes(role) || user_ids.includes(user_id);
}

/** Returns people with these roles who want alerts; on the server, administrators. */
async function peopleWith(
  kv: Store,
  place: number,
  roles: string[],
  sent: Sent,
): Promise<UserRow[]> {
  if (roles.length === 0) return [];
  if (place === 0) return await wanting(kv, await listAdminIds(kv, MAILS_MAX));
  const members = await listMemberRows(kv, place);
  return await seeing(kv, members.filter(({ role }) => roles.includes(role)), sent);
}

async function wanting(kv: Store, ids: number[]): Promise<UserRow[]> {
  const users = [...(await getUsers(kv, ids)).values()];
  return users.filter(({ alert, email }) => alert && isOneAddress(email));
}

/** Returns the owner of a task or a run if they still see it and want mails about this. */
export async function ownerWhoWants(
  kv: Store,
  { id }: ProjectRow,
  { user_id, event }: { user_id: number; event: OwnEvent },
  isSeen: IsSeen,
): Promise<UserRow | null> {
  const user = (await findUser(kv, user_id))?.value;
  if (!user?.notify_own.includes(event) || !isOneAddress(user.email)) return null;
  const membership = await findMembership(kv, actorOf(user), id);
  return membership && isSeen(await sightIn(kv, user, membership)) ? user : null;
}

/** Returns the language in which messages to a person are written. */
export const languageOf = ({ language = "" }: Pick<UserRow, "language">): Language =>
  catalogs.has(language) ? language : CHAT_LANGUAGE;
