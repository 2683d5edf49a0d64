import type { Context } from "fresh";
import type { NewLink } from "@/components/access/SignInLink.tsx";
import type { AccountScope } from "@/lib/access/scope.ts";
import { mailLink, mailsLinks } from "@/lib/alerts/email/mail_link.ts";
import { paths } from "@/lib/base/paths.ts";
import { getUser } from "@/lib/people/accounts/service.ts";
import { makeFirstLink } from "@/lib/people/sign_in_links/service.ts";
import { baseOf } from "@/lib/web/pages/sso.ts";
import type { State } from "@/lib/web/state.ts";

/** Creates the first link of an account, for the page that shows it, and mails it if asked to. */
export async function newLink(
  account: AccountScope,
  { state: { deps, ui }, url }: Pick<Context<State>, "state" | "url">,
  wantsMail: boolean,
): Promise<NewLink> {
  const link = await makeFirstLink(account);
  const { name, email } = await getUser(account);
  return {
    name,
    email,
    address: baseOf(deps.config, url) + paths.signInLink(link.token),
    expires: link.expires,
    mailed: wantsMail && mailsLinks(deps) ? await mailLink(account, ui, link) : null,
  };
}

/** Answers that show a link are not stored. */
export const linkHeaders = () => new Headers({ "Cache-Control": "no-store" });
