import type { Context } from "fresh";
import type { NewLink } from "@/components/access/SignInLink.tsx";
import type { ProjectScope } from "@/lib/access/scope.ts";
import { invitedPerson } from "@/components/team/InviteTable.tsx";
import { mailInvite } from "@/lib/alerts/email/mail_invite.ts";
import { paths } from "@/lib/base/paths.ts";
import type { InviteView } from "@/lib/people/invites/schema.ts";
import { baseOf } from "@/lib/web/pages/sso.ts";
import type { State } from "@/lib/web/state.ts";

/** Returns the link of an invitation, for the page that shows it, and mails it if asked to. */
export async function inviteLink(
  scope: ProjectScope<"add_people">,
  { state: { deps, ui }, url }: Pick<Context<State>, "state" | "url">,
  made: { invite: InviteView; token: string },
  wantsMail: boolean,
): Promise<NewLink> {
  const { invite, token } = made;
  return {
    name: invitedPerson(invite),
    email: invite.email ?? "",
    address: baseOf(deps.config, url) + paths.invite(token),
    expires: invite.expires_at,
    mailed: wantsMail ? await mailInvite(scope, ui, made) : null,
  };
}
