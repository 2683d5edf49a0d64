import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Button, ButtonLink } from "../ui/Button.tsx";
import { Logo } from "../ui/Logo.tsx";

interface SignedOutProps {
  ui: Ui;
  provider: { name: string; url: string };
}

/** Asks whether to sign out, for an address that was typed or opened by a link. */
export const SignOut = ({ ui, username }: { ui: Ui; username: string }) => (
  <>
    <div class="grid justify-items-center gap-2">
      <Logo class="w-16 h-16" />
      <h1>{ui.t("actions.sign_out")}</h1>
    </div>
    <form class="card grid grid-cols-1 gap-4" method="post" action={ui.href(paths.signOut())}>
      <p class="m-0">{ui.t("sign_out.signed_in_as", { username })}</p>
      <Button kind="primary">{ui.t("actions.sign_out")}</Button>
      <ButtonLink href={ui.href("/")}>{ui.t("actions.cancel")}</ButtonLink>
    </form>
  </>
);

/** Says that the session here has ended, and offers to end the one at the provider. */
export const SignedOut = ({ ui, provider: { name, url } }: SignedOutProps) => (
  <>
    <div class="grid justify-items-center gap-2">
      <Logo class="w-16 h-16" />
      <h1>{ui.t("sign_out.title")}</h1>
    </div>
    <div class="card grid grid-cols-1 gap-4">
      <p class="m-0">{ui.t("sign_out.still", { name })}</p>
      <ButtonLink kind="primary" href={url}>{ui.t("sign_out.there", { name })}</ButtonLink>
      <ButtonLink href={ui.href(paths.signIn())}>{ui.t("sign_out.again")}</ButtonLink>
    </div>
  </>
);
