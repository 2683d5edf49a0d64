import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { FormState } from "../../lib/web/forms/form.ts";
import { Button } from "../ui/Button.tsx";
import { Field } from "../ui/Field.tsx";
import { FormErrors } from "../ui/Form.tsx";

interface DirectoryLinkProps {
  ui: Ui;
  form: FormState;
  /**
   * Whether the account has a password, which is required before another sign-in method is added.
   */
  hasPassword: boolean;
}

/** Links the account with a person in the directory. */
export function DirectoryLink({ ui, form: sent, hasPassword }: DirectoryLinkProps) {
  const form = { ...sent, idPrefix: "directory-" };
  const labels = {
    directory_login: ui.t("identities.directory_login"),
    directory_password: ui.t("identities.directory_password"),
    link_password: ui.t("account.current_password"),
  };
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  const secret = { type: "password", autocomplete: "off", required: true } as const;
  return (
    <form
      method="post"
      action={ui.href(paths.accountDirectory())}
      class="form max-w-md"
      aria-label={ui.t("identities.link_directory")}
      noValidate
    >
      <FormErrors ui={ui} form={form} labels={labels} />
      <Field {...field("directory_login")} required maxLength={254} autocomplete="off" />
      <Field {...field("directory_password")} {...secret} />
      {hasPassword && (
        <Field
          {...field("link_password")}
          {...secret}
          autocomplete="current-password"
          hint={ui.t("identities.password_hint")}
        />
      )}
      <div class="form-bar">
        <Button kind="primary">{ui.t("identities.link_directory")}</Button>
      </div>
    </form>
  );
}
