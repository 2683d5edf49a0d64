import { catalogs, type Language } from "../i18n/catalogs.ts";
import type { AlertSettings } from "../base/alert_settings.ts";
import type { Config } from "../base/config.ts";
import type { ProjectRow } from "../model/project_row.ts";
import type { Status } from "../model/status.ts";
import { getMember, listMemberRows } from "../access/members.ts";
import { grants, permissionsOf } from "../access/permissions.ts";
import { listAdminIds } from "../people/users/repository.ts";
import { findUser, getUsers } from "../model/accounts.ts";
import { isOneAddress } from "../people/users/schema.ts";
import type { OwnEvent, UserRow } from "../model/account_row.ts";
import type { Store } from "../store/store.ts";
import { channels } from "./channels.ts";
import type { WaitingApproval } from "./message.ts";
import type { ChannelKind } from "./schema.ts";

/** Someone whom a channel of the environment reaches. */
export interface Recipient {
  channel: ChannelKind;
  target: string;
  language: Language;
}

/** Language for chats, whose readers may have no account here. It is that of the API. */
export const CHAT_LANGUAGE: Language = "en";
/** Maximum number of mails for one alert, because a commit takes a limited number of rows. */
export const MAILS_MAX = 200;

/** Returns the recipients of an alert about a task of the project. */
export async function recipientsOf(
  kv: Store,
  { alerts }: Pick<Config, "alerts">,
  project: ProjectRow,
  status: Status,
): Promise<Recipient[]> {
  if (!project.alert) return [];
  const members = alerts.smtpUrl && status === "error" ? await listMemberRows(kv, project.id) : [];
  return [
    ...chatsOf(alerts, project),
    ...await mailsTo(kv, members.map(({ user_id }) => user_id)),
  ];
}

/** Returns the recipients of a request for votes: chats, and the members who may vote. */
export async function voteRecipients(
  kv: Store,
  { alerts }: Pick<Config, "alerts">,
  project: ProjectRow,
  { roles, user_ids, except }: WaitingApproval["voters"],
): Promise<Recipient[]> {
  if (!project.alert) return [];
  const members = alerts.smtpUrl ? await listMemberRows(kv, project.id) : [];
  const isOpen = roles.length === 0 && user_ids.length === 0;
  const voters = members.filter(({ user_id, role }) =>
    user_id !== except &&
    (isOpen
      ? grants(permissionsOf(role), "run_tasks")
      : roles.includes(role) || user_ids.includes(user_id))
  );
  return [
    ...chatsOf(alerts, project),
    ...await mailsTo(kv, voters.map(({ user_id }) => user_id)),
  ];
}

/** Returns the recipients of an alert about the server: its chats, and admins. */
export async function serverRecipients(
  kv: Store,
  { alerts }: Pick<Config, "alerts">,
): Promise<Recipient[]> {
  const admins = alerts.smtpUrl ? await listAdminIds(kv, MAILS_MAX) : [];
  return [...chatsOf(alerts, { alert_chat: null }), ...await mailsTo(kv, admins)];
}

/**
 * Returns the recipients of channels that rules of a project, or of the server for null, name.
 * Mails go to people who get those about failures.
 */
export const channelRecipients = (
  kv: Store,
  config: Pick<Config, "alerts">,
  project: ProjectRow | null,
): Promise<Recipient[]> =>
  project
    ? recipientsOf(kv, config, { ...project, alert: true }, "error")
    : serverRecipients(kv, config);

function chatsOf(
  settings: AlertSettings,
  project: Pick<ProjectRow, "alert_chat">,
): Recipient[] {
  return Object.values(channels).flatMap(({ kind: channel, isSetUp, target: targetOf }) => {
    const target = isSetUp(settings) ? targetOf?.(settings, project) ?? null : null;
    return target === null ? [] : [{ channel, target, language: CHAT_LANGUAGE }];
  });
}

/** Returns the mail recipients: those of the users who want alerts. */
async function mailsTo(kv: Store, userIds: number[]): Promise<Recipient[]> {
  const users = await getUsers(kv, userIds);
  return [...users.values()].filter(({ alert, email }) => alert && isOneAddress(email))
    .slice(0, MAILS_MAX)
    .map((user) => ({ channel: "email", target: user.email, language: languageOf(user) }));
}

/** Returns the owner of a task or a run if they can see the project and want mails about this. */
export async function ownerWhoWants(
  kv: Store,
  { id }: ProjectRow,
  { user_id, event }: { user_id: number; event: OwnEvent },
): Promise<UserRow | null> {
  const user = (await findUser(kv, user_id))?.value;
  if (!user?.notify_own?.includes(event) || !isOneAddress(user.email)) return null;
  return user.admin || (await getMember(kv, id, user_id)).value ? user : null;
}

/** Returns the language in which messages to a person are written. */
export const languageOf = ({ language = "" }: Pick<UserRow, "language">): Language =>
  catalogs.has(language) ? language : CHAT_LANGUAGE;
