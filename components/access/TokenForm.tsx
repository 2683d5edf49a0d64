import type { ComponentChildren } from "preact";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { FormState } from "../../lib/web/forms/form.ts";
import { Alert } from "../ui/Alert.tsx";
import { Field } from "../ui/forms/Field.tsx";
import { Form } from "../ui/forms/Form.tsx";
import { LimitFields, limitLabels, type TokenChoices } from "./TokenLimits.tsx";

interface TokenFormProps {
  ui: Ui;
  form: FormState;
  /** Complete address that the form is sent to. */
  action: string;
  choices: TokenChoices;
  /** The token that was just created. Only this answer shows it. */
  made: string | null;
  /** Whether the token must have a name, because the history shows it. */
  isNamed?: boolean;
  /** Further fields, after the limits. */
  children?: ComponentChildren;
}

/** Creates a token, and shows it once. */
export function TokenForm(
  { ui, form, action, choices, made, isNamed, children }: TokenFormProps,
) {
  const labels = {
    name: ui.t("tokens.name"),
    expires_at: ui.t("tokens.expires_on"),
    ...limitLabels(ui),
  };
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  return (
    <>
      {made && (
        <Alert kind="success" title={ui.t("tokens.made")}>
          <code class="break-all">{made}</code>
        </Alert>
      )}
      <Form ui={ui} form={form} action={action} save={ui.t("tokens.make")} labels={labels}>
        <div class="form-fields">
          <Field {...field("name")} class="half" autocomplete="off" required={isNamed} />
          <Field
            {...field("expires_at")}
            class="half"
            type="date"
            hint={ui.t("tokens.expires_hint")}
          />
        </div>
        <LimitFields ui={ui} form={form} choices={choices} />
        {children}
      </Form>
    </>
  );
}
