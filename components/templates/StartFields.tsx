import { CodeField } from "@/components/editor/CodeField.tsx";
import { Checkbox, namedOptions, type Option, Select } from "@/components/ui/Choice.tsx";
import { FormSection } from "@/components/ui/Form.tsx";
import type { FormState } from "@/lib/web/forms/form.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ScheduleView } from "@/lib/triggers/schedules/schema.ts";
import { AllowFields } from "./AllowFields.tsx";
import { SurveyFields } from "./SurveyFields.tsx";
import type { TemplateChoices } from "./template_choices.ts";
import { ScheduleCell } from "@/components/schedules/ScheduleCell.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { Field } from "@/components/ui/Field.tsx";
import { paths } from "@/lib/base/paths.ts";

interface StartFieldsProps {
  ui: Ui;
  form: FormState;
  choices: TemplateChoices;
  /** Schedules that the form cannot represent, and so must not change. */
  untyped: ScheduleView[];
}

/** Triggers of a template, and the values that its tasks start with. */
export function StartFields({ ui, form, choices, untyped }: StartFieldsProps) {
  const common = { ui, form };
  return (
    <>
      <FormSection id="template-when" title={ui.t("templates.sections.when")}>
        <ScheduleFields
          {...common}
          untyped={untyped}
          repositories={namedOptions(ui, choices.repositories)}
        />
        <Checkbox
          {...common}
          class="for-deploy"
          name="autorun"
          label={ui.t("templates.autorun")}
          hint={ui.t("templates.autorun_hint")}
        />
        <Checkbox
          {...common}
          name="require_confirmation"
          label={ui.t("templates.require_confirmation")}
        />
        <Checkbox
          {...common}
          name="allow_parallel_tasks"
          label={ui.t("templates.allow_parallel_tasks")}
        />
      </FormSection>
      <FormSection
        id="survey"
        title={ui.t("survey.title")}
        hint={ui.t("survey.hint")}
      >
        <SurveyFields {...common} />
      </FormSection>
      <FormSection id="template-options" title={ui.t("templates.sections.options")}>
        <CodeField
          {...common}
          name="arguments"
          label={ui.t("templates.arguments")}
          hint={ui.t("templates.arguments_hint")}
          mode="json"
          rows={3}
          placeholder='["--forks", "20"]'
        />
        <Checkbox
          {...common}
          name="allow_override_args_in_task"
          label={ui.t("templates.allow_arguments")}
        />
        <AllowFields {...common} />
        <PreviewFields {...common} />
        <Checkbox
          {...common}
          name="suppress_success_alerts"
          label={ui.t("templates.suppress_success_alerts")}
        />
        <Checkbox
          {...common}
          name="suppress_full_results"
          label={ui.t("templates.suppress_full_results")}
          hint={ui.t("templates.suppress_full_results_hint")}
        />
      </FormSection>
    </>
  );
}

/** Whether a template's tasks first show what they would change. */
const PreviewFields = (common: { ui: Ui; form: FormState }) => (
  <>
    <Checkbox
      {...common}
      name="preview_first"
      label={common.ui.t("templates.preview_first")}
      hint={[
        common.ui.t("templates.preview_first_hint"),
        common.ui.t("preview.runs"),
        common.ui.t("preview.vault_diffs"),
      ].join(" ")}
    />
    <Checkbox
      {...common}
      name="preview_end_unchanged"
      label={common.ui.t("templates.preview_end_unchanged")}
      hint={common.ui.t("templates.preview_end_unchanged_hint")}
    />
  </>
);

interface ScheduleFieldsProps {
  ui: Ui;
  form: FormState;
  repositories: Option[];
  /** Schedules that these fields cannot represent. They are listed instead. */
  untyped: ScheduleView[];
}

/** Schedule of a template, or a note that other schedules exist. */
function ScheduleFields({ ui, form, repositories, untyped }: ScheduleFieldsProps) {
  if (untyped.length > 0) {
    return (
      <Alert title={ui.t("schedules.title")}>
        <p>{ui.t("schedules.untyped", { count: untyped.length })}</p>
        <ul class="m-0 mt-1 pl-5">
          {untyped.map((schedule) => (
            <li>
              <ScheduleCell
                ui={ui}
                schedule={schedule}
                href={ui.href(paths.schedule(schedule.project_id, schedule.id))}
              />
            </li>
          ))}
        </ul>
      </Alert>
    );
  }
  return (
    <>
      <Field
        ui={ui}
        form={form}
        name="cron_format"
        label={ui.t("schedules.cron")}
        placeholder={ui.t("schedules.cron_example")}
        hint={ui.t("schedules.cron_hint")}
        maxLength={200}
      />
      <Select
        ui={ui}
        form={form}
        name="cron_repository_id"
        label={ui.t("schedules.new_commits")}
        blank={ui.t("schedules.every_time")}
        options={repositories}
      />
    </>
  );
}
