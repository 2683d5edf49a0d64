import type { Config } from "../../base/config.ts";
import type { ProjectRow } from "../../access/rows.ts";
import type { Status } from "../../tasks/status.ts";
import { listMemberRows } from "../../access/members.ts";
import { isOneAddress } from "../../people/users/email.ts";
import { getUsers } from "../../people/users/repository.ts";
import { channels } from "./channels.ts";
import type { ChannelKind } from "./schema.ts";

interface Recipient {
  channel: ChannelKind;
  target: string;
}

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
    if (target !== null) recipients.push({ channel, target });
  }
  if (alerts.smtpUrl && status === "error") {
    const addresses = await addressesOf(kv, project.id);
    recipients.push(...addresses.map((target) => ({ channel: "email" as const, target })));
  }
  return recipients;
}

/** The mail addresses of those members who want alerts. */
async function addressesOf(kv: Deno.Kv, projectId: number): Promise<string[]> {
  const members = await listMemberRows(kv, projectId);
  const users = await getUsers(kv, members.map(({ user_id }) => user_id));
  return [...users.values()].filter(({ alert, email }) => alert && isOneAddress(email))
    .map(({ email }) => email).slice(0, MAILS_MAX);
}
