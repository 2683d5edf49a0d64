import type { FormState } from "../../lib/http/form.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Checkbox } from "../ui/Choice.tsx";
import { Field } from "../ui/Field.tsx";

/** What a project's fields are called. */
export const projectLabels = (ui: Ui) => ({
  name: ui.t("projects.form.name"),
  alert: ui.t("projects.form.alert"),
  alert_chat: ui.t("projects.form.alert_chat"),
  max_parallel_tasks: ui.t("projects.form.max_parallel_tasks"),
});

/** The fields of a new project and of a project's settings. */
export function ProjectFields(
  { ui, form, autofocus }: { ui: Ui; form: FormState; autofocus?: boolean },
) {
  const labels = projectLabels(ui);
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  return (
    <>
      <Field {...field("name")} required maxLength={200} autofocus={autofocus} />
      <Checkbox {...field("alert")} />
      <Field {...field("alert_chat")} maxLength={100} />
      <Field
        {...field("max_parallel_tasks")}
        type="number"
        min={0}
        step={1}
        hint={ui.t("projects.form.max_parallel_tasks_hint")}
      />
    </>
  );
}
