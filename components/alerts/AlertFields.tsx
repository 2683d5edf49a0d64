import type { Ui } from "@/lib/i18n/ui.ts";
import type { FormState } from "@/lib/web/forms/form.ts";
import { Checkbox } from "../ui/forms/Choice.tsx";
import { Field } from "../ui/forms/Field.tsx";

export const alertLabels = (ui: Ui) => ({
  alert: ui.t("projects.form.alert"),
  alert_chat: ui.t("projects.form.alert_chat"),
});

/** Whether a project without rules sends alerts, and to which chat. */
export function AlertFields({ ui, form }: { ui: Ui; form: FormState }) {
  const { alert, alert_chat } = alertLabels(ui);
  const common = { ui, form };
  return (
    <>
      <Checkbox {...common} name="alert" label={alert} hint={ui.t("projects.form.alert_hint")} />
      <Field {...common} name="alert_chat" label={alert_chat} />
    </>
  );
}
