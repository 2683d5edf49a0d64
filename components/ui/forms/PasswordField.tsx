import type { Ui } from "../../../lib/i18n/ui.ts";
import type { FormState } from "../../../lib/web/forms/form.ts";
import { Field, type FieldProps } from "./Field.tsx";

type PasswordProps =
  & { ui: Ui; form: FormState }
  & Pick<FieldProps, "required" | "hint" | "autofocus">;

/** The current password of the account, asked for before access to it changes. */
export const CurrentPassword = (
  { name = "current_password", ...props }: PasswordProps & { name?: string },
) => (
  <Field
    {...props}
    name={name}
    label={props.ui.t("account.current_password")}
    type="password"
    autocomplete="current-password"
  />
);

/** The new password of the account. */
export const NewPassword = (props: PasswordProps) => (
  <Field
    {...props}
    name="password"
    label={props.ui.t("account.new_password")}
    type="password"
    autocomplete="new-password"
    required
    hint={props.ui.t("account.sessions_end")}
  />
);
