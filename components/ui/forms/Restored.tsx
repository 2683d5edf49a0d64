import type { FormState } from "../../../lib/web/forms/form.ts";
import type { Ui } from "../../../lib/i18n/ui.ts";
import { Alert } from "../Alert.tsx";
import { fieldId } from "./Field.tsx";

interface RestoredProps {
  ui: Ui;
  form: FormState;
  labels?: Record<string, string>;
}

/** Tells the server that the page at the form's own address can show it again. */
export const ShownAgain = () => <input type="hidden" name="form_page" value="1" />;

/**
 * Explains after a new sign-in that the form holds what was typed, and which fields must be typed
 * again.
 */
export function Restored({ ui, form, labels = {} }: RestoredProps) {
  const { restored } = form;
  if (!restored) return null;
  return (
    <Alert kind="warning" title={ui.t("restored.title")}>
      <p>{ui.t(restored.tooLong ? "restored.too_long" : "restored.not_sent")}</p>
      {restored.hadFile && <p>{ui.t("restored.file")}</p>}
      {restored.secrets.length > 0 && (
        <>
          <p>{ui.t("restored.secrets")}</p>
          <ul class="m-0 pl-5">
            {restored.secrets.map(({ name, label }) => (
              <li>
                <a href={`#${fieldId(form, name)}`}>{label || labels[name] || name}</a>
              </li>
            ))}
          </ul>
        </>
      )}
    </Alert>
  );
}
