import { catalogs, type Language } from "../i18n/catalogs.ts";
import type { Config } from "../base/config.ts";
import type { ProjectRow } from "../access/rows.ts";
import type { Status } from "../tasks/status.ts";
import { listMemberRows } from "../access/members.ts";
import { isOneAddress } from "../people/users/email.ts";
import { getUsers } from "../people/users/repository.ts";
import type { UserRow } from "../people/users/schema.ts";
import { channels } from "./channels.ts";
import type { ChannelKind } from "./schema.ts";

interface Recipient {
  channel: ChannelKind;
  target: string;
  language: Language;
}

/** Of what many read who may have no account here: as the API speaks. */
export const CHAT_LANGUAGE: Language = "en";
/** Mails for one failure; a commit takes only so many rows. */
const MAILS_MAX = 200;

/** Who is told that a task of the project came into a state. */
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

/** Mails to those members who want alerts. */
async function mailsTo(kv: Deno.Kv, projectId: number): Promise<Recipient[]> {
  const members = await listMemberRows(kv, projectId);
  const users = await getUsers(kv, members.map(({ user_id }) => user_id));
  return [...users.values()].filter(({ alert, email }) => alert && isOneAddress(email))
    .slice(0, MAILS_MAX)
    .map((user) => ({ channel: "email", target: user.email, language: languageOf(user) }));
}

/** In which language somebody is written to. */
export const languageOf = ({ language = "" }: Pick<UserRow, "language">): Language =>
  catalogs.has(language) ? language : CHAT_LANGUAGE;
