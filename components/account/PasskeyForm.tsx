import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { FormState } from "../../lib/web/forms/form.ts";
import { PasskeyAsk } from "../access/PasskeyAsk.tsx";
import { Field } from "../ui/Field.tsx";
import { FormErrors } from "../ui/Form.tsx";

/** Adds a passkey. Browsers create passkeys only from a script. */
export function PasskeyForm({ ui, form: sent }: { ui: Ui; form: FormState }) {
  const labels = {
    name: ui.t("passkeys.name"),
    current_password: ui.t("account.current_password"),
    credential: ui.t("passkeys.title"),
  };
  const form = { ...sent, idPrefix: "passkey-" };
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  return (
    <>
      <p class="m-0">{ui.t("passkeys.what")}</p>
      <p class="no-script m-0">{ui.t("passkeys.needs_script")}</p>
      <form
        id="new-passkey"
        method="post"
        action={ui.href(paths.passkeys())}
        class="form needs-script max-w-md"
        noValidate
      >
        <FormErrors ui={ui} form={form} labels={labels} />
        <Field {...field("name")} hint={ui.t("passkeys.name_hint")} required maxLength={100} />
        <Field
          {...field("current_password")}
          type="password"
          autocomplete="current-password"
          required
        />
        <div class="form-bar">
          <PasskeyAsk
            ui={ui}
            kind="add"
            options={ui.href(paths.passkeys("/options"))}
            label={ui.t("passkeys.add")}
            primary
          />
        </div>
      </form>
    </>
  );
}
