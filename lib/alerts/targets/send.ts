import { listMemberRows } from "../../access/members.ts";
import type { Deps } from "../../access/deps.ts";
import { AppError, sentenceOf } from "../../base/errors.ts";
import type { Resolve } from "../../base/checked_lookup.ts";
import { isInNetworks, isPublicAddress } from "../../base/network.ts";
import { reveal } from "../../base/secret.ts";
import { listAdminIds } from "../../people/users/repository.ts";
import { getUsers } from "../../model/accounts.ts";
import { isOneAddress } from "../../people/users/schema.ts";
import { NOT_SET_UP, type SendResult } from "../channel.ts";
import { emailChannel } from "../email/channel.ts";
import { fieldsOf, httpKinds } from "../kinds/kinds.ts";
import { MAILS_MAX } from "../recipients.ts";
import { sendRequest } from "../send_request.ts";
import type { TargetMessage } from "../target_message.ts";
import type { TargetRow } from "./rows.ts";
import { partsOf } from "./settings.ts";
import type { Store } from "../../store/store.ts";

type SendDeps = Pick<Deps, "config" | "secrets">;

interface Sending {
  message: TargetMessage;
  /** Mail address; empty for other kinds. */
  to: string;
  /** The same for each attempt. */
  id: string;
  resolve?: Resolve;
}

/** Makes one attempt to send a message to a target. */
export async function sendToTarget(
  { config, secrets }: SendDeps,
  row: TargetRow,
  { message, to, id, resolve }: Sending,
): Promise<SendResult> {
  const { alerts } = config;
  if (row.kind === "email") {
    return emailChannel.isSetUp(alerts) ? await emailChannel.send(alerts, to, message) : NOT_SET_UP;
  }
  let opened: Record<string, string>;
  try {
    opened = row.sealed ? JSON.parse(reveal(await secrets.open(row.sealed), "alert")) : {};
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ok: false, reason: sentenceOf(error), retry: false };
  }
  const values: Record<string, string> = {};
  for (const { name, secret, required, fallback = "" } of fieldsOf(row.kind)) {
    values[name] = (secret ? opened[name] : row.settings[name]) || fallback;
    if (required && values[name] === "") {
      return { ok: false, reason: { key: "errors.alerts.secrets_missing" }, retry: false };
    }
  }
  const mayReach = (address: string) =>
    row.allow_private || isPublicAddress(address) || isInNetworks(address, alerts.networks);
  const request = httpKinds[row.kind].request(values, { message, id });
  return await sendRequest(request, { secrets: Object.values(opened), mayReach, resolve });
}

/** Returns the mail addresses of a target; one empty text for other kinds. */
export async function recipientsOfTarget(kv: Store, row: TargetRow): Promise<string[]> {
  if (row.kind !== "email") return [""];
  const { addresses, roles } = row.settings;
  const people = await peopleWith(kv, row.project_id, partsOf(roles));
  return [...new Set([...partsOf(addresses), ...people])].slice(0, MAILS_MAX);
}

/** Returns the addresses of people with these roles who want alerts; on the server, of admins. */
async function peopleWith(kv: Store, place: number, roles: string[]): Promise<string[]> {
  if (roles.length === 0) return [];
  const ids = place === 0
    ? await listAdminIds(kv, MAILS_MAX)
    : (await listMemberRows(kv, place)).filter(({ role }) => roles.includes(role))
      .map(({ user_id }) => user_id);
  const users = [...(await getUsers(kv, ids)).values()];
  return users.filter(({ alert, email }) => alert && isOneAddress(email)).map(({ email }) => email);
}
