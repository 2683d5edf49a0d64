import { Form } from "@/components/ui/Form.tsx";
import type { FormState } from "@/lib/web/forms/form.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ScheduleView } from "@/lib/triggers/schedules/schema.ts";
import { RunFields } from "./RunFields.tsx";
import { StartFields } from "./StartFields.tsx";
import { surveyLabels } from "./SurveyFields.tsx";
import type { TemplateChoices } from "./template_choices.ts";
import { vaultLabels } from "./VaultFields.tsx";

interface TemplateFormProps {
  ui: Ui;
  form: FormState;
  choices: TemplateChoices;
  /** Schedules that the form cannot represent, and so must not change. */
  untyped: ScheduleView[];
  action: string;
  cancel: string;
  isNew: boolean;
}

/** All settings of a template. Style rules hide the fields of other types than the chosen one. */
export function TemplateForm(props: TemplateFormProps) {
  const { ui, form, choices, untyped, action, cancel, isNew } = props;
  return (
    <Form
      ui={ui}
      form={form}
      action={action}
      cancel={cancel}
      save={ui.t(isNew ? "actions.create" : "actions.save")}
      labels={labelsOf(ui, form)}
    >
      <RunFields ui={ui} form={form} choices={choices} />
      <StartFields ui={ui} form={form} choices={choices} untyped={untyped} />
    </Form>
  );
}

/** Labels of the fields, for the list of errors above the form. */
const labelsOf = (ui: Ui, form: FormState): Record<string, string> => ({
  start_version: ui.t("templates.start_version"),
  build_template_id: ui.t("templates.build_template"),
  name: ui.t("templates.name"),
  playbook: ui.t("templates.playbook_filename"),
  repository_id: ui.t("templates.repository"),
  inventory_id: ui.t("templates.inventory"),
  environment_id: ui.t("templates.environment"),
  description: ui.t("templates.description"),
  git_branch: ui.t("templates.branch"),
  type: ui.t("templates.type_label"),
  autorun: ui.t("templates.autorun"),
  ...vaultLabels(ui, form),
  view_id: ui.t("templates.view"),
  survey_vars: ui.t("survey.title"),
  suppress_success_alerts: ui.t("templates.suppress_success_alerts"),
  suppress_full_results: ui.t("templates.suppress_full_results"),
  allow_override_args_in_task: ui.t("templates.allow_arguments"),
  require_confirmation: ui.t("templates.require_confirmation"),
  preview_first: ui.t("templates.preview_first"),
  preview_end_unchanged: ui.t("templates.preview_end_unchanged"),
  allow_parallel_tasks: ui.t("templates.allow_parallel_tasks"),
  cron_format: ui.t("schedules.schedule"),
  cron_repository_id: ui.t("schedules.new_commits"),
  ...surveyLabels(ui, form),
  arguments: ui.t("templates.arguments"),
});
