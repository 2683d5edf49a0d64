import { catalogs, type Language } from "../i18n/catalogs.ts";
import type { Config } from "../base/config.ts";
import type { ProjectRow } from "../access/rows.ts";
import type { Status } from "../tasks/status.ts";
import { listMemberRows } from "../access/members.ts";
import { getUsers } from "../people/users/repository.ts";
import { isOneAddress, type UserRow } from "../people/users/schema.ts";
import { channels } from "./channels.ts";
import type { ChannelKind } from "./schema.ts";

interface Recipient {
  channel: ChannelKind;
  target: string;
  language: Language;
}

/** Language for chats, whose readers may have no account here. It is that of the API. */
export const CHAT_LANGUAGE: Language = "en";
/** Maximum number of mails for one alert, because a commit takes a limited number of rows. */
const MAILS_MAX = 200;

/** Returns the recipients of an alert about a task of the project. */
export async function recipientsOf(
  kv: Deno.Kv,
  { alerts }: Pick<Config, "alerts">,
  project: ProjectRow,
  status: Status,
): Promise<Recipient[]> {
  if (!project.alert) return [];
  const recipients: Recipient[] = [];
  for (const { kind: channel, isSetUp, target: targetOf } of Object.values(channels)) {
    const target = isSetUp(alerts) ? targetOf?.(alerts, project) ?? null : null;
    if (target !== null) recipients.push({ channel, target, language: CHAT_LANGUAGE });
  }
  if (alerts.smtpUrl && status === "error") {
    recipients.push(...await mailsTo(kv, project.id));
  }
  return recipients;
}

/** Returns the mail recipients: members who want alerts. */
async function mailsTo(kv: Deno.Kv, projectId: number): Promise<Recipient[]> {
  const members = await listMemberRows(kv, projectId);
  const users = await getUsers(kv, members.map(({ user_id }) => user_id));
  return [...users.values()].filter(({ alert, email }) => alert && isOneAddress(email))
    .slice(0, MAILS_MAX)
    .map((user) => ({ channel: "email", target: user.email, language: languageOf(user) }));
}

/** Returns the language in which messages to a person are written. */
export const languageOf = ({ language = "" }: Pick<UserRow, "language">): Language =>
  catalogs.has(language) ? language : CHAT_LANGUAGE;
