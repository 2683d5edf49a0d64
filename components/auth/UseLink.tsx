import type { FormState } from "../../lib/web/forms/form.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Button } from "../ui/Button.tsx";
import { FormErrors } from "../ui/forms/Form.tsx";
import { NewPassword } from "../ui/forms/PasswordField.tsx";
import { Logo } from "../ui/Logo.tsx";

interface UseLinkProps {
  ui: Ui;
  username: string;
  setsPassword: boolean;
  form: FormState;
}

/**
 * Asks whether to use a link that signs in once, or for the password that it sets. The form posts
 * to the page's own address.
 */
export const UseLink = ({ ui, username, setsPassword, form }: UseLinkProps) => (
  <>
    <div class="grid justify-items-center gap-2">
      <Logo class="w-16 h-16" />
      <h1>{ui.t("app.name")}</h1>
    </div>
    <form method="post" class="card grid grid-cols-1 gap-4" noValidate>
      {setsPassword ? <SetPassword ui={ui} username={username} form={form} /> : (
        <>
          <p class="m-0">{ui.t("sign_in.link_once")}</p>
          <Button kind="primary">{ui.t("sign_in.link_as", { name: username })}</Button>
        </>
      )}
    </form>
  </>
);

function SetPassword({ ui, username, form }: Omit<UseLinkProps, "setsPassword">) {
  const labels = { password: ui.t("account.new_password") };
  return (
    <>
      <FormErrors ui={ui} form={form} labels={labels} />
      <p class="m-0">{ui.t("sign_in.link_password", { name: username })}</p>
      {/* Tells password managers which account the password belongs to. */}
      <input hidden readOnly autocomplete="username" value={username} />
      <NewPassword ui={ui} form={form} autofocus />
      <Button kind="primary">{ui.t("sign_in.set_password")}</Button>
    </>
  );
}
