import type { FormState } from "../../lib/web/forms/form.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { UserView } from "../../lib/people/users/schema.ts";
import { Checkbox } from "../ui/forms/Choice.tsx";
import { Field } from "../ui/forms/Field.tsx";
import { CurrentPassword } from "../ui/forms/PasswordField.tsx";

export const userLabels = (ui: Ui) => ({
  name: ui.t("users.name"),
  username: ui.t("users.username"),
  email: ui.t("users.email"),
  password: ui.t("users.password"),
  current_password: ui.t("account.current_password"),
  revoke_tokens: ui.t("users.revoke_tokens"),
  admin: ui.t("users.admin_user"),
  alert: ui.t("users.send_alerts"),
});

interface UserFieldsProps {
  ui: Ui;
  form: FormState;
  /** Null for a new account. */
  user: UserView | null;
  /** Users cannot change their own admin rights. */
  isOwn: boolean;
  /** Whether a new account without a password gets a link that sets one. */
  mayLackPassword: boolean;
}

/** An account as admins see it. Fields that belong to a provider cannot be changed here. */
export function UserFields({ ui, form, user, isOwn, mayLackPassword }: UserFieldsProps) {
  const labels = userLabels(ui);
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  const external = user?.external ?? false;
  const passwordHint = user
    ? !external && "users.password_hint"
    : mayLackPassword && "users.password_new_hint";
  return (
    <>
      <Field {...field("name")} required autocomplete="off" autofocus />
      <Field
        {...field("username")}
        required
        autocomplete="off"
        disabled={external}
      />
      <Field
        {...field("email")}
        type="email"
        required
        autocomplete="off"
        disabled={external}
      />
      <Field
        {...field("password")}
        type="password"
        required={user === null && !mayLackPassword}
        autocomplete="new-password"
        disabled={external}
        hint={passwordHint && ui.t(passwordHint)}
      />
      {isOwn && !external && (
        <CurrentPassword ui={ui} form={form} hint={ui.t("users.current_password_hint")} />
      )}
      {user && !external && (
        <Checkbox {...field("revoke_tokens")} hint={ui.t("users.revoke_hint")} />
      )}
      <Checkbox {...field("admin")} disabled={isOwn} />
      <Checkbox {...field("alert")} />
    </>
  );
}
