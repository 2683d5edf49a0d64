import type { PublicDeps } from "../../access/deps.ts";
import type { AccountScope } from "../../access/scope.ts";
import { paths } from "../../base/paths.ts";
import type { Ui } from "../../i18n/ui.ts";
import { getUserRow } from "../../model/accounts.ts";
import type { SendResult } from "../send_result.ts";
import { sendMail } from "./send_mail.ts";

/** Whether sign-in links can be mailed. The address of a request is not trusted in a mail. */
export const mailsLinks = ({ config }: PublicDeps): boolean =>
  config.alerts.smtpUrl !== null && config.url !== null;

/**
 * Mails a sign-in link to the owner of the account, in the language of the sender. It is not
 * queued, because only its hash may be stored.
 */
export async function mailLink(
  { deps: { kv, config }, userId }: AccountScope,
  ui: Ui,
  { token, expires }: { token: string; expires: string },
): Promise<SendResult> {
  const { email, username } = await getUserRow(kv, userId);
  return await sendMail(config.alerts, email, {
    title: ui.t("first_link.mail_title"),
    mood: "neutral",
    facts: [
      { label: ui.t("users.username"), value: username },
      { label: ui.t("first_link.ends"), value: ui.minute(expires) },
    ],
    url: config.url!.origin + config.basePath + paths.signInLink(token),
    project: null,
    task: null,
  });
}
