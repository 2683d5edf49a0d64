import type { ProjectScope } from "../../access/scope.ts";
import { paths } from "../../base/paths.ts";
import type { Ui } from "../../i18n/ui.ts";
import { isFixedRole } from "../../model/roles.ts";
import type { InviteView } from "../../people/invites/schema.ts";
import { takeCall } from "../../store/limiters/bucket.ts";
import type { SendResult } from "../send_result.ts";
import { mailsLinks } from "./mail_link.ts";
import { sendMail } from "./send_mail.ts";

/**
 * Mails the link of an invitation for an address, in the language of the sender. Returns null if
 * the server cannot mail links, or for an account. It is not queued, because only the hash of the
 * link may be stored.
 */
export async function mailInvite(
  { deps, actor, project }: ProjectScope<"add_people">,
  ui: Ui,
  { invite, token }: { invite: InviteView; token: string },
): Promise<SendResult | null> {
  const { config } = deps;
  const { email, role, expires_at, inviter_name } = invite;
  if (email === null || !mailsLinks(deps)) return null;
  // Anyone who manages a team can enter any address, so that mails to strangers are limited.
  const seconds = takeCall(deps.kv, `invites of ${actor.id}`, deps.clock.ticks());
  if (seconds > 0) {
    return {
      ok: false,
      reason: { key: "errors.too_many_mails", params: { seconds } },
      retry: false,
    };
  }
  return await sendMail(config.alerts, email, {
    title: ui.t("invites.mail_title", { project: project.name }),
    mood: "neutral",
    facts: [
      { label: ui.t("invites.inviter"), value: inviter_name ?? "" },
      { label: ui.t("team.role"), value: isFixedRole(role) ? ui.t(`roles.${role}`) : role },
      { label: ui.t("first_link.ends"), value: ui.minute(expires_at) },
    ],
    url: config.url!.origin + config.basePath + paths.invite(token),
    project: null,
    task: null,
  });
}
