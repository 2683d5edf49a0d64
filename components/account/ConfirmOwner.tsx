import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { FormState } from "../../lib/web/forms/form.ts";
import { Confirm } from "../ui/forms/Confirm.tsx";
import { CurrentPassword } from "../ui/forms/PasswordField.tsx";

/** A button of the account that removes something after its owner has typed the password. */
interface OwnerQuestion {
  /** Locale key of the button's label. */
  label: string;
  /** Address of the form, and the field that it sends. */
  action: string;
  name: string;
  value: string;
}

/** Asks for the current password before a way to sign in is removed. */
export function ConfirmOwner(
  { ui, form, question: { label, action, name, value } }: {
    ui: Ui;
    form: FormState;
    question: OwnerQuestion;
  },
) {
  const labels = { current_password: ui.t("account.current_password") };
  return (
    <Confirm
      ui={ui}
      title={ui.t(label)}
      question={ui.t("account.password_asked")}
      action={action}
      cancel={ui.href(paths.account("security"))}
      yes={ui.t(label)}
      form={form}
      labels={labels}
    >
      <input type="hidden" name={name} value={value} />
      <CurrentPassword ui={ui} form={form} required autofocus />
    </Confirm>
  );
}
