import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { ButtonLink } from "../ui/Button.tsx";
import { Logo } from "../ui/Logo.tsx";

interface SignedOutProps {
  ui: Ui;
  provider: { name: string; url: string };
}

/** Says that the session here is over, and offers to end the one at the provider. */
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
