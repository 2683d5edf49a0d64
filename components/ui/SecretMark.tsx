import type { Ui } from "../../lib/i18n/ui.ts";
import type { FormState } from "../../lib/web/forms/form.ts";

interface SecretMarkProps {
  ui: Ui;
  form: FormState;
  name: string;
  label: string;
  /** The element id of the field. */
  id: string;
}

/**
 * Tells the server that a field holds a secret, which is never compared, shown or stored. Without a
 * script, which keeps typed values, it must be typed again after an error in another field.
 */
export const SecretMark = ({ ui, form, name, label, id }: SecretMarkProps) => (
  <>
    <input type="hidden" name="secret_field" value={`${name}:${label}`} />
    {isLost(form, name) && (
      <p id={`${id}-lost`} class="field-hint no-script">{ui.t("forms.secret_lost")}</p>
    )}
  </>
);

/** Whether a secret was typed into a form that comes back with errors. */
export const isLost = ({ errors, values }: FormState, name: string): boolean =>
  Object.keys(errors).length > 0 && Boolean(values[name]);
