import type { FormState } from "../../lib/web/forms/form.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { AlertFields, alertLabels } from "../alerts/AlertFields.tsx";
import { Checkbox } from "../ui/forms/Choice.tsx";
import { ToolchainSelect } from "../toolchains/ToolchainFields.tsx";
import { Field } from "../ui/forms/Field.tsx";
import { FoldedSection, FoldedSections } from "../ui/forms/FoldedSection.tsx";
import { FormSection } from "../ui/forms/Form.tsx";

export const projectLabels = (ui: Ui) => ({
  name: ui.t("projects.form.name"),
  ...alertLabels(ui),
  max_parallel_tasks: ui.t("projects.form.max_parallel_tasks"),
  only_runners: ui.t("projects.form.only_runners"),
  toolchain_id: ui.t("toolchains.field"),
  "retention.max_tasks_per_template": ui.t("projects.form.keep_tasks"),
  "retention.max_age_days": ui.t("projects.form.keep_days"),
});

interface ProjectFieldsProps {
  ui: Ui;
  form: FormState;
  autofocus?: boolean;
  /** The project already exists, so it can limit its history. */
  stored?: boolean;
  /** Toolchains that it can choose. */
  toolchains?: { id: number; name: string }[];
}

/** The fields of a project's settings. A new project asks for a name, and folds the others. */
export function ProjectFields(
  { ui, form, autofocus, stored, toolchains = [] }: ProjectFieldsProps,
) {
  const labels = projectLabels(ui);
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  const limit = (name: keyof typeof labels, hint?: string) => (
    <Field {...field(name)} type="number" min={0} step={1} hint={hint} />
  );
  const name = <Field {...field("name")} required autofocus={autofocus} />;
  const limits = limit("max_parallel_tasks", ui.t("projects.form.max_parallel_tasks_hint"));
  if (!stored) {
    const part = (one: keyof typeof labels) => ({
      name: one,
      text: ui.labelled(labels[one], "{{value}}"),
    });
    return (
      <>
        {name}
        <FoldedSections>
          <FoldedSection
            ui={ui}
            form={form}
            id="project-more"
            title={ui.t("projects.form.more")}
            fields={[
              part("max_parallel_tasks"),
              { name: "alert", text: labels.alert },
              part("alert_chat"),
            ]}
          >
            {limits}
            <AlertFields ui={ui} form={form} />
          </FoldedSection>
        </FoldedSections>
      </>
    );
  }
  return (
    <>
      {name}
      {limits}
      <Checkbox {...field("only_runners")} hint={ui.t("projects.form.only_runners_hint")} />
      <ToolchainSelect ui={ui} form={form} toolchains={toolchains} of="project" />
      <FormSection
        id="project-retention"
        title={ui.t("projects.form.retention")}
        hint={ui.t("projects.form.keep_hint")}
      >
        {limit("retention.max_tasks_per_template")}
        {limit("retention.max_age_days")}
      </FormSection>
    </>
  );
}
