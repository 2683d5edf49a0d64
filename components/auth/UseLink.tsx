import type { Ui } from "../../lib/i18n/ui.ts";
import { Button } from "../ui/Button.tsx";
import { Logo } from "../ui/Logo.tsx";

/** Asks whether to use a link that signs in once. The form posts to the page's own address. */
export const UseLink = ({ ui, username }: { ui: Ui; username: string }) => (
  <>
    <div class="grid justify-items-center gap-2">
      <Logo class="w-16 h-16" />
      <h1>{ui.t("app.name")}</h1>
    </div>
    <form method="post" class="card grid grid-cols-1 gap-4">
      <p class="m-0">{ui.t("sign_in.link_once")}</p>
      <Button kind="primary">{ui.t("sign_in.link_as", { name: username })}</Button>
    </form>
  </>
);
