import type { FormState } from "../../lib/web/forms/form.ts";
import { OWN_EVENTS } from "../../lib/model/account_row.ts";
import { paths } from "../../lib/base/paths.ts";
import { catalogs, htmlLanguage } from "../../lib/i18n/catalogs.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Alert } from "../ui/Alert.tsx";
import { Checkbox, Select } from "../ui/forms/Choice.tsx";
import { Checklist } from "../ui/forms/Checklist.tsx";
import { Field } from "../ui/forms/Field.tsx";
import { Form } from "../ui/forms/Form.tsx";
import { CurrentPassword, NewPassword } from "../ui/forms/PasswordField.tsx";
import { timeZones } from "../../lib/i18n/time_zone.ts";

interface AccountFormProps {
  ui: Ui;
  form: FormState;
  /** The sign-in provider owns name, address and password. */
  external: boolean;
}

/** The user's own name, username and e-mail address. Those of a provider cannot be changed here. */
export function ProfileForm({ ui, form, external }: AccountFormProps) {
  const labels = {
    name: ui.t("account.name"),
    username: ui.t("account.username"),
    email: ui.t("account.email"),
    current_password: ui.t("account.current_password"),
  };
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  const own = { required: true, disabled: external };
  const fields = (
    <>
      <Field {...field("name")} {...own} autocomplete="name" />
      <Field {...field("username")} {...own} autocomplete="username" />
      <Field {...field("email")} {...own} type="email" autocomplete="email" />
    </>
  );
  if (external) {
    return (
      <div class="form">
        <Alert>{ui.t("account.external")}</Alert>
        {fields}
      </div>
    );
  }
  return (
    <Form
      ui={ui}
      form={form}
      action={ui.href(paths.account())}
      save={ui.t("actions.save")}
      labels={labels}
    >
      {fields}
      <CurrentPassword ui={ui} form={form} hint={ui.t("account.email_password_hint")} />
    </Form>
  );
}

/** The alerts and e-mails that the user wants. */
export function NotificationsForm({ ui, form }: Pick<AccountFormProps, "ui" | "form">) {
  const labels = { alert: ui.t("account.alert"), notify_own: ui.t("account.notify_own") };
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  return (
    <Form
      ui={ui}
      form={form}
      action={ui.href(paths.account("notifications"))}
      save={ui.t("actions.save")}
      labels={labels}
    >
      <Checkbox {...field("alert")} />
      <Checklist
        {...field("notify_own")}
        options={OWN_EVENTS.map((value) => ({ value, label: ui.t(`alert_events.${value}`) }))}
        hint={ui.t("account.notify_own_hint")}
      />
    </Form>
  );
}

/** Language and theme, which the drawer offers too. */
export function AppearanceForm({ ui, form }: Pick<AccountFormProps, "ui" | "form">) {
  const select = { ui, form, isFixed: true };
  return (
    <Form ui={ui} form={form} action={ui.href(paths.preferences())} save={ui.t("actions.save")}>
      <input type="hidden" name="back" value={paths.account("appearance")} />
      <Select
        {...select}
        name="lang"
        label={ui.t("shell.language")}
        blank={ui.t("shell.system_language")}
        options={[...catalogs].map(([value, { name }]) => ({
          value,
          label: name,
          lang: htmlLanguage(value),
        }))}
      />
      <Select
        {...select}
        name="theme"
        label={ui.t("shell.theme.label")}
        options={(["system", "light", "dark"] as const).map((value) => ({
          value,
          label: ui.t(`shell.theme.${value}`),
        }))}
      />
    </Form>
  );
}

/** Sets a new password, which ends all other sessions. */
export function PasswordForm({ ui, form }: Pick<AccountFormProps, "ui" | "form">) {
  const labels = {
    current_password: ui.t("account.current_password"),
    password: ui.t("account.new_password"),
  };
  return (
    <Form
      ui={ui}
      form={form}
      action={ui.href(paths.accountPassword())}
      save={ui.t("account.change_password")}
      labels={labels}
    >
      <CurrentPassword ui={ui} form={form} required />
      <NewPassword ui={ui} form={form} />
      <Checkbox {...{ ui, form }} name="revoke_tokens" label={ui.t("account.revoke_tokens")} />
    </Form>
  );
}

/** Time zone in which times are shown. */
export function TimezoneForm({ ui, form }: { ui: Ui; form: FormState }) {
  const labels = { timezone: ui.t("account.timezone") };
  return (
    <Form
      ui={ui}
      form={form}
      action={ui.href(paths.account("appearance"))}
      save={ui.t("actions.save")}
      labels={labels}
    >
      <Select
        ui={ui}
        form={form}
        name="timezone"
        label={labels.timezone}
        blank={ui.t("account.timezone_browser")}
        isFixed
        options={timeZones().map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") }))}
        hint={ui.t("account.timezone_hint", { zone: ui.timeZone })}
      />
    </Form>
  );
}
