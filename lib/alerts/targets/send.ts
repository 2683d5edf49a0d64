import type { Deps } from "../../access/deps.ts";
import { AppError, sentenceOf } from "../../base/errors.ts";
import type { Resolve } from "../../http/checked_lookup.ts";
import { isInNetworks, isPublicAddress } from "../../base/network.ts";
import { reveal } from "../../base/secret.ts";
import { sendMail } from "../email/send_mail.ts";
import { fieldsOf, httpKinds } from "../kinds/kinds.ts";
import { sendRequest } from "../send_request.ts";
import type { SendResult } from "../send_result.ts";
import type { TargetMessage } from "../target_message.ts";
import type { TargetRow } from "./rows.ts";
import { settingsValues } from "./settings_targets.ts";

type SendDeps = Pick<Deps, "config" | "secrets">;

interface Sending {
  message: TargetMessage;
  /** Mail address or chat; empty for other targets. */
  to: string;
  /** The same for each attempt. */
  id: string;
  resolve?: Resolve;
}

/** Makes one attempt to send a message to a target. */
export async function sendToTarget(
  deps: SendDeps,
  row: TargetRow,
  { message, to, id, resolve }: Sending,
): Promise<SendResult> {
  const { alerts } = deps.config;
  const { kind } = row;
  if (kind === "email" || kind === "members") return await sendMail(alerts, to, message);
  let given: Record<string, string | null>;
  try {
    given = row.id < 0 ? settingsValues(deps.config, row.id, to) : await storedValues(deps, row);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ok: false, reason: sentenceOf(error), retry: false };
  }
  const values: Record<string, string> = {};
  const secrets: string[] = [];
  for (const { name, secret, required, fallback = "" } of fieldsOf(kind)) {
    const value = values[name] = given[name] || fallback;
    if (required && value === "") {
      return { ok: false, reason: { key: "errors.alerts.secrets_missing" }, retry: false };
    }
    if (secret && value !== "") secrets.push(value);
  }
  const mayReach = (address: string) =>
    row.allow_private || isPublicAddress(address) || isInNetworks(address, alerts.networks);
  const request = httpKinds[kind].request(values, { message, id });
  return await sendRequest(request, {
    secrets,
    ...row.id > 0 && { reach: { mayReach, resolve } },
  });
}

async function storedValues(
  { secrets }: Pick<Deps, "secrets">,
  { sealed, settings }: TargetRow,
): Promise<Record<string, string>> {
  const opened = sealed ? JSON.parse(reveal(await secrets.open(sealed), "alert")) : {};
  return { ...settings, ...opened };
}
